/* actuary list: what ships, and what the user's folders add. */
#include "cli/list_fields.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "io/json_write.h"
#include "io/nearest.h"
#include "io/presets.h"

#include <actuary/field.h>
#include <actuary/model.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One preset, described and filled into a resolved plan. */
struct entry {
    const char *name;
    struct act_preset_info info;
    struct act_plan plan;
};

struct listing {
    const char *name;
    const char *alignment;
    const char *heading[ACT_TABLE_COLUMNS];
    void (*put_row)(struct act_table *table, const struct entry *entry);
    void (*put_object)(json_t *object, const struct entry *entry);
};

static void put_number(struct act_table *table, double value, enum act_unit unit)
{
    char text[64] = "-";

    if (value >= 0) {
        act_quantity_format(value, unit, ACT_STYLE_SHORT, text, sizeof text);
    }
    act_table_cell(table, text);
}

static void put_integer(struct act_table *table, int64_t value)
{
    char text[32] = "-";

    if (value >= 0) {
        snprintf(text, sizeof text, "%lld", (long long)value);
    }
    act_table_cell(table, text);
}

static void set_number(json_t *object, const char *key, double value)
{
    if (value >= 0) {
        double whole = floor(value);
        bool integer = value - whole <= 0 && value < 9e15;
        json_object_set_new(object, key,
                            integer ? json_integer((json_int_t)value) : json_real(value));
    }
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text[0]) {
        json_object_set_new(object, key, json_string(text));
    }
}

static void put_model(struct act_table *table, const struct entry *entry)
{
    const struct act_model_fields *model = &entry->plan.model;
    struct act_parameters parameters;
    char heads[64];

    act_model_count(&entry->plan, &parameters);
    if (model->attention == ACT_MLA) {
        snprintf(heads, sizeof heads, "%lld/mla", (long long)model->heads);
    } else {
        snprintf(heads, sizeof heads, "%lld/%lld", (long long)model->heads,
                 (long long)model->kv_heads);
    }
    put_number(table, parameters.total, ACT_UNIT_COUNT);
    put_integer(table, model->layers);
    put_integer(table, model->hidden);
    act_table_cell(table, heads);
    put_integer(table, model->max_positions);
}

static void set_model(json_t *object, const struct entry *entry)
{
    const struct act_model_fields *model = &entry->plan.model;
    struct act_parameters parameters;

    act_model_count(&entry->plan, &parameters);
    set_number(object, "parameters", parameters.total);
    set_number(object, "active", parameters.active);
    set_number(object, "layers", (double)model->layers);
    set_number(object, "hidden", (double)model->hidden);
    set_number(object, "heads", (double)model->heads);
    if (model->attention != ACT_MLA) {
        set_number(object, "kv_heads", (double)model->kv_heads);
    }
    set_number(object, "max_positions", (double)model->max_positions);
}

static void put_framework(struct act_table *table, const struct entry *entry)
{
    act_table_cell(table, act_field(ACT_F_framework_family)->names[entry->plan.framework.family]);
}

static void set_framework(json_t *object, const struct entry *entry)
{
    set_text(object, "family",
             act_field(ACT_F_framework_family)->names[entry->plan.framework.family]);
    json_object_set_new(object, "validated", json_boolean(entry->plan.framework.validated > 0));
}

static void put_hardware(struct act_table *table, const struct entry *entry)
{
    const struct act_hardware_fields *card = &entry->plan.hardware;
    char price[64] = "-";

    char memory[64] = "-";
    if (card->memory >= 0)
        act_quantity_format(card->memory, ACT_UNIT_BYTES,
                            entry->plan.decimal_sizes ? ACT_STYLE_SHORT_GB : ACT_STYLE_SHORT,
                            memory, sizeof memory);
    act_table_cell(table, memory);
    put_number(table, card->peak_bf16, ACT_UNIT_FLOPS);
    put_number(table, card->memory_bandwidth, ACT_UNIT_BANDWIDTH);
    put_number(table, card->link_bandwidth, ACT_UNIT_BANDWIDTH);
    if (card->rental_price >= 0) {
        act_number_format(card->rental_price, 2, true, price, sizeof price);
    }
    act_table_cell(table, price);
}

static void set_hardware(json_t *object, const struct entry *entry)
{
    const struct act_hardware_fields *card = &entry->plan.hardware;

    set_number(object, "marketed_bytes", card->memory);
    set_number(object, "usable_bytes", card->usable_memory);
    set_number(object, "peak_bf16_flops", card->peak_bf16);
    set_number(object, "memory_bytes_per_second", card->memory_bandwidth);
    set_number(object, "link_bytes_per_second", card->link_bandwidth);
    set_number(object, "gpus_per_node", (double)card->gpus_per_node);
    set_number(object, "usd_per_gpu_hour", card->rental_price);
    set_text(object, "price_date", card->rental_price_date);
}

static void put_nothing(struct act_table *table, const struct entry *entry)
{
    (void)table;
    (void)entry;
}

static void set_nothing(json_t *object, const struct entry *entry)
{
    (void)object;
    (void)entry;
}

/* By kind; the id comes first and the title last in each. */
static const struct listing listings[ACT_PRESET_KINDS] = {
    [ACT_MODELS] = {"models",
                    "lrrrrrl",
                    {"ID", "PARAMETERS", "LAYERS", "HIDDEN", "HEADS/KV", "CONTEXT", "TITLE"},
                    put_model,
                    set_model},
    [ACT_FRAMEWORKS] =
        {"frameworks", "lll", {"ID", "FAMILY", "TITLE"}, put_framework, set_framework},
    [ACT_HARDWARE] = {"hardware",
                      "lrrrrrl",
                      {"ID", "MEMORY", "BF16", "BANDWIDTH", "LINK", "USD/H", "TITLE"},
                      put_hardware,
                      set_hardware},
    [ACT_SCENARIOS] = {"scenarios", "ll", {"ID", "TITLE"}, put_nothing, set_nothing},
};

static int read_entry(enum act_preset_kind kind, int index, struct entry *ret)
{
    struct act_problems problems;

    ret->name = act_preset_name(kind, index);
    act_problems_init(&problems, ret->name);
    act_plan_init(&ret->plan);
    if (act_preset_describe(kind, ret->name, &ret->info, &problems) < 0 ||
        (kind != ACT_SCENARIOS &&
         act_preset_apply(&ret->plan, kind, ret->name, true, &problems) < 0)) {
        act_output_problems(&problems);
        return -1;
    }
    act_plan_resolve(&ret->plan, &ret->plan);
    return 0;
}

static int list_as_text(enum act_preset_kind kind, bool decimal, struct act_buffer *out)
{
    const struct listing *listing = &listings[kind];
    struct act_table table;
    int status = ACT_EXIT_OK;

    act_table_init(&table, listing->alignment);
    for (int i = 0; i < table.columns; i++) {
        act_table_cell(&table, listing->heading[i]);
    }
    for (int i = 0; i < act_preset_count(kind); i++) {
        struct entry entry;
        if (read_entry(kind, i, &entry) < 0) {
            status = ACT_EXIT_FILE;
            continue;
        }
        entry.plan.decimal_sizes = decimal ? 1 : 0;
        act_table_cell(&table, entry.name);
        listing->put_row(&table, &entry);
        act_table_cell(&table, entry.info.title);
    }
    act_table_print(&table, out);
    act_table_free(&table);
    return status;
}

static int list_as_json(enum act_preset_kind kind, struct act_buffer *out)
{
    json_t *array = json_array();
    int status = ACT_EXIT_OK;

    for (int i = 0; i < act_preset_count(kind); i++) {
        struct entry entry;
        if (read_entry(kind, i, &entry) < 0) {
            status = ACT_EXIT_FILE;
            continue;
        }
        json_t *object = json_object();
        set_text(object, "id", entry.name);
        set_text(object, "title", entry.info.title);
        listings[kind].put_object(object, &entry);
        set_text(object, "source", entry.info.source);
        set_text(object, "date", entry.info.date);
        set_text(object, "confidence", entry.info.confidence);
        set_text(object, "note", entry.info.note);
        if (entry.info.user) {
            set_text(object, "path", entry.info.path);
        }
        json_array_append_new(array, object);
    }
    if (act_json_write(array, out) < 0) {
        out->failed = true;
    }
    json_decref(array);
    return status;
}

static int refuse_kind(const char *word)
{
    static const char *const kinds[] = {"models",    "frameworks", "hardware",
                                        "scenarios", "fields",     NULL};
    const char *nearest = act_nearest(kinds, word);
    char shown[64];

    act_printable(word, strlen(word), shown, sizeof shown);
    if (nearest) {
        act_output_error("list", "there is nothing called \"%s\"; did you mean %s?", shown,
                         nearest);
    } else {
        act_output_error("list",
                         "there is nothing called \"%s\"; models, frameworks, hardware, scenarios "
                         "or fields",
                         shown);
    }
    return ACT_EXIT_USAGE;
}

static int find_kind(const char *word)
{
    for (int i = 0; i < ACT_PRESET_KINDS; i++) {
        if (strcmp(word, listings[i].name) == 0) {
            return i;
        }
    }
    return -1;
}

int act_cli_list(const struct act_options *options)
{
    struct act_buffer out;
    bool json = options->format == ACT_FORMAT_JSON;
    int status = ACT_EXIT_OK;

    if (options->operands != 1) {
        act_output_error("list",
                         "list what? One of models, frameworks, hardware, scenarios, fields");
        return ACT_EXIT_USAGE;
    }
    const char *word = options->operand[0];
    int kind = find_kind(word);
    act_buffer_init(&out, ACT_OUTPUT_MAX);
    if (strcmp(word, "fields") == 0) {
        if (json) {
            act_list_fields_json(&out);
        } else {
            act_list_fields_text(&out);
        }
    } else if (kind < 0) {
        return refuse_kind(word);
    } else if (json) {
        status = list_as_json((enum act_preset_kind)kind, &out);
    } else {
        status = list_as_text((enum act_preset_kind)kind, options->settings.decimal, &out);
    }
    if (status == ACT_EXIT_OK) {
        status = act_output_write(options, &out, status);
    }
    act_buffer_free(&out);
    return status;
}
