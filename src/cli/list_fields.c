#include "cli/list_fields.h"

#include "cli/table.h"
#include "io/json_write.h"

#include <actuary/field.h>

#include <math.h>

void act_list_fields_text(struct act_buffer *out)
{
    struct act_table table;
    char range[256];

    act_table_init(&table, "lllll");
    act_table_cell(&table, "KEY");
    act_table_cell(&table, "NAME");
    act_table_cell(&table, "VALUES");
    act_table_cell(&table, "DEFAULT");
    act_table_cell(&table, "WHAT IT IS");
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        const struct act_field *field = act_field((enum act_field_id)id);
        act_field_range(field->id, range, sizeof range);
        act_table_cell(&table, field->key);
        act_table_cell(&table, field->label);
        act_table_cell(&table, range);
        act_table_cell(&table, field->initial);
        act_table_cell(&table, field->help);
    }
    act_table_print(&table, out);
    act_table_free(&table);
}

static json_t *limit(double value)
{
    return value < 9e15 && value - floor(value) <= 0 ? json_integer((json_int_t)value)
                                                     : json_real(value);
}

void act_list_fields_json(struct act_buffer *out)
{
    static const char *const kinds[] = {
        [ACT_KIND_INT] = "integer", [ACT_KIND_REAL] = "number",  [ACT_KIND_BOOL] = "boolean",
        [ACT_KIND_ENUM] = "name",   [ACT_KIND_SET] = "names",    [ACT_KIND_LIST] = "list",
        [ACT_KIND_TEXT] = "text",   [ACT_KIND_GPUS] = "integer",
    };
    static const char *const units[] = {
        [ACT_UNIT_NONE] = "",
        [ACT_UNIT_COUNT] = "count",
        [ACT_UNIT_BYTES] = "bytes",
        [ACT_UNIT_BANDWIDTH] = "bytes per second",
        [ACT_UNIT_FLOPS] = "FLOP per second",
        [ACT_UNIT_WATT] = "watt",
        [ACT_UNIT_DAYS] = "days",
        [ACT_UNIT_SECONDS] = "seconds",
        [ACT_UNIT_SHARE] = "share",
        [ACT_UNIT_MONEY] = "money",
    };
    json_t *array = json_array();

    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        const struct act_field *field = act_field((enum act_field_id)id);
        json_t *object = json_object();
        json_object_set_new(object, "key", json_string(field->key));
        json_object_set_new(object, "label", json_string(field->label));
        json_object_set_new(object, "kind", json_string(kinds[field->kind]));
        if (field->unit != ACT_UNIT_NONE) {
            json_object_set_new(object, "unit", json_string(units[field->unit]));
        }
        if (field->names) {
            json_t *names = json_array();
            for (int i = 0; field->names[i]; i++) {
                json_array_append_new(names, json_string(field->names[i]));
            }
            json_object_set_new(object, "values", names);
        } else if (field->max > field->min && field->kind != ACT_KIND_BOOL) {
            json_object_set_new(object, "min", limit(field->min));
            json_object_set_new(object, "max", limit(field->max));
        }
        json_object_set_new(object, "default", json_string(field->initial));
        if (field->flags & ACT_FIELD_AUTO) {
            json_object_set_new(object, "auto", json_true());
        }
        json_object_set_new(object, "help", json_string(field->help));
        json_object_set_new(object, "source", json_string(field->source));
        json_array_append_new(array, object);
    }
    if (act_json_write(array, out) < 0) {
        out->failed = true;
    }
    json_decref(array);
}
