/* The JSON of an estimate: the contract's members, integers for sizes, nothing that does not
 * apply, the same bytes under every locale. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/json.h"
#include "io/json_write.h"
#include "io/scenario.h"
#include <actuary/estimators.h>
#include <actuary/field.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static struct act_plan plan;
static struct act_result result;

static json_t *written(void)
{
    struct act_buffer text;
    json_error_t error;
    act_buffer_init(&text, 1 << 20);
    assert_int_equal(act_json_plan(&plan, &result, &text), 0);
    assert_int_equal(text.text[text.size - 1], '\n');
    json_t *object = json_loads(text.text, JSON_REJECT_DUPLICATES, &error);
    assert_non_null(object);
    act_buffer_free(&text);
    return object;
}

/* "memory.stages.0.weights" */
static json_t *at(json_t *value, const char *path)
{
    char part[64];
    while (value && *path) {
        size_t size = strcspn(path, ".");
        assert_true(size < sizeof part);
        memcpy(part, path, size);
        part[size] = '\0';
        path += size + (path[size] == '.');
        value = json_is_array(value) ? json_array_get(value, (size_t)(part[0] - '0'))
                                     : json_object_get(value, part);
    }
    return value;
}

static void assert_integer(json_t *object, const char *path, long long expected)
{
    json_t *value = at(object, path);
    assert_true(json_is_integer(value));
    assert_int_equal(json_integer_value(value), expected);
}

static void assert_number(json_t *object, const char *path, double expected)
{
    json_t *value = at(object, path);
    assert_true(json_is_number(value));
    assert_true(json_number_value(value) == expected);
}

static void assert_text(json_t *object, const char *path, const char *expected)
{
    assert_true(json_is_string(at(object, path)));
    assert_string_equal(json_string_value(at(object, path)), expected);
}

/* A result made up by hand, each figure different. */
static void make_up(void)
{
    act_plan_init(&plan);
    memset(&result, 0, sizeof result);
    snprintf(plan.scenario.name, sizeof plan.scenario.name, "\"q\" \xE8\xAE\xAD");
    snprintf(plan.framework.preset, sizeof plan.framework.preset, "megatron");
    result.fit = ACT_TIGHT;
    result.layout.gpus = 1024;
    result.layout.nodes = 127.5;
    result.parameters.total = 68976648192.0;
    result.parameters.active = 68976648192.0;
    result.parameters.trainable = 1.5e9;
    struct act_memory *memory = &result.memory;
    memory->stages = 2;
    memory->worst = 1;
    memory->usable = 79.0 * 1024 * 1024 * 1024;
    memory->marketed = 80.0 * 1024 * 1024 * 1024;
    memory->error = 0.15;
    memory->stage[0] = (struct act_stage){.layers = 41, .in_flight = 4, .parameters = 100};
    struct act_stage *worst = &memory->stage[1];
    *worst = (struct act_stage){
        .layers = 39, .in_flight = 1.5, .parameters = 200, .phase = ACT_PHASE_LOSS};
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++)
        worst->component[i] = 10.4; /* rounds to 10 each; the sum, 72.8, would be 73 */
    worst->allocated = 7 * 10.4;
    worst->reserved = 8 * 10.4;
    worst->device = 9 * 10.4;
    memory->peak = worst->device;
    memory->headroom = memory->usable - memory->peak;
    result.time = (struct act_time){.step_seconds = 10,
                                    .steps = 0.1,
                                    .days = 76.08,
                                    .calendar_days = 80,
                                    .mfu = 0.4,
                                    .hfu = 0.5,
                                    .tokens_per_second = 1e6,
                                    .tokens_per_second_per_gpu = 1000.25,
                                    .tflops_per_gpu = 124.8,
                                    .part = {[ACT_TIME_COMPUTE] = 7.5, [ACT_TIME_RECOMPUTE] = 2.5}};
    result.flops = (struct act_flops){
        .per_token = 4.5e11, .per_token_hardware = 6e11, .total = 9e23, .six_pd = 8.4e23};
    result.cost = (struct act_cost){.known = true,
                                    .total = 160,
                                    .price = 1.5,
                                    .gpu_hours = 100,
                                    .rent = 150,
                                    .outlay = NAN,
                                    .purchase = NAN,
                                    .energy_mwh = 0.25,
                                    .energy = NAN,
                                    .staff = 10,
                                    .checkpoints = 2.5,
                                    .goodput = {.share = 0.95,
                                                .failures = 0.5,
                                                .mean_time_between_failures = 1000,
                                                .checkpoint_bytes = 14e9,
                                                .checkpoint_seconds = 30,
                                                .interval = INFINITY,
                                                .restart_seconds = 600},
                                    .goodput_in_use = 0.97,
                                    .goodput_source = ACT_GOODPUT_USUAL,
                                    .facility = {.servers = 128,
                                                 .node_power = 6500,
                                                 .computing_power = 832000,
                                                 .building_power = 998400,
                                                 .average_power = 448,
                                                 .racks = NAN,
                                                 .ports = 1024,
                                                 .switches = 48,
                                                 .bisection = 128e11,
                                                 .storage_bandwidth = 4.5e8}};
}

static void has_the_members_of_the_contract(void **state)
{
    (void)state;
    make_up();
    json_t *object = written();
    assert_integer(object, "schema", 1);
    assert_text(object, "name", "\"q\" \xE8\xAE\xAD");
    assert_true(json_is_true(at(object, "fits")));
    assert_true(json_is_true(at(object, "tight")));
    assert_integer(object, "gpus", 1024);
    assert_integer(object, "nodes", 128);
    assert_text(object, "framework", "megatron");
    assert_integer(object, "parameters.total", 68976648192);
    assert_integer(object, "parameters.active", 68976648192);
    assert_integer(object, "parameters.trainable", 1500000000);
    assert_integer(object, "parameters.per_gpu", 200);
    assert_integer(object, "memory.usable_bytes", 84825604096);
    assert_integer(object, "memory.marketed_bytes", 85899345920);
    assert_integer(object, "memory.worst_stage", 1);
    assert_text(object, "memory.phase", "loss");
    assert_number(object, "memory.error_bar", 0.15);
    assert_integer(object, "memory.host_bytes", 0);
    assert_int_equal(json_array_size(at(object, "memory.stages")), 2);
    assert_integer(object, "memory.stages.0.layers", 41);
    assert_integer(object, "memory.stages.1.stage", 1);
    assert_number(object, "memory.stages.1.in_flight", 1.5);
    assert_number(object, "time.steps", 0.1);
    assert_number(object, "time.days", 76.08);
    assert_number(object, "time.calendar_days", 80);
    assert_number(object, "time.mfu", 0.4);
    assert_text(object, "time.mfu_source", "given");
    assert_number(object, "time.tflops_per_gpu", 124.8);
    assert_number(object, "time.flops_per_token", 4.5e11);
    assert_number(object, "time.flops_total", 9e23);
    assert_number(object, "time.flops_6pd", 8.4e23);
    assert_number(object, "time.breakdown_seconds.compute", 7.5);
    assert_number(object, "time.breakdown_seconds.recompute", 2.5);
    assert_text(object, "time.mfu_band", "good");
    assert_null(at(object, "time.error_bar"));
    assert_null(at(object, "time.breakdown_seconds.bubble"));
    assert_null(at(object, "time.layer_seconds"));
    assert_text(object, "cost.currency", "USD");
    assert_text(object, "cost.basis", "rent");
    assert_number(object, "cost.gpu_hours", 100);
    assert_number(object, "cost.price_per_gpu_hour", 1.5);
    assert_number(object, "cost.rent", 150);
    assert_number(object, "cost.energy_mwh", 0.25);
    assert_number(object, "cost.staff", 10);
    assert_number(object, "cost.total", 160);
    assert_text(object, "cost.goodput.source", "usual");
    assert_number(object, "cost.goodput.share", 0.97);
    assert_number(object, "cost.goodput.computed", 0.95);
    assert_number(object, "cost.goodput.failures_per_1000_gpu_days", 0.5);
    assert_number(object, "cost.goodput.seconds_between_failures", 1000);
    assert_integer(object, "cost.goodput.checkpoint_bytes", 14000000000);
    assert_number(object, "cost.goodput.checkpoint_seconds", 30);
    assert_integer(object, "cost.goodput.checkpoints", 2);
    assert_number(object, "cost.goodput.restart_seconds", 600);
    assert_integer(object, "cost.facility.servers", 128);
    assert_number(object, "cost.facility.computing_watts", 832000);
    assert_number(object, "cost.facility.building_watts", 998400);
    assert_integer(object, "cost.facility.network_ports", 1024);
    assert_integer(object, "cost.facility.switches", 48);
    assert_integer(object, "cost.facility.storage_bytes_per_second", 450000000);
    /* not known, or of servers that are bought */
    assert_null(at(object, "cost.outlay"));
    assert_null(at(object, "cost.purchase"));
    assert_null(at(object, "cost.energy"));
    assert_null(at(object, "cost.facility.racks"));
    assert_null(at(object, "cost.goodput.interval_seconds"));
    assert_true(json_is_array(at(object, "checks")));
    json_decref(object);
}

static void tells_where_an_estimated_step_goes(void **state)
{
    (void)state;
    make_up();
    result.time.estimated = true;
    result.time.error_bar = 0.12;
    result.time.binding = ACT_BOUND_LAUNCH;
    result.time.part[ACT_TIME_BUBBLE] = 0.25;
    result.time.step.layer = 0.125;
    json_t *object = written();
    assert_text(object, "time.mfu_source", "estimated");
    assert_number(object, "time.error_bar", 0.12);
    assert_text(object, "time.binding", "launch");
    assert_number(object, "time.layer_seconds", 0.125);
    assert_number(object, "time.breakdown_seconds.bubble", 0.25);
    assert_number(object, "time.breakdown_seconds.optimizer", 0);
    assert_int_equal(json_object_size(at(object, "time.breakdown_seconds")), ACT_TIME_PARTS);
    json_decref(object);
}

static void sizes_add_up_as_integers(void **state)
{
    (void)state;
    static const char *const parts[] = {"weights", "gradients",  "optimizer", "activations",
                                        "head",    "transients", "buffers"};
    make_up();
    json_t *object = written();
    json_t *stage = at(object, "memory.stages.1");
    long long sum = 0;
    for (int i = 0; i < 7; i++) {
        assert_integer(stage, parts[i], 10);
        sum += json_integer_value(at(stage, parts[i]));
    }
    assert_integer(stage, "allocated", sum);
    assert_integer(stage, "fragmentation", 10);
    assert_integer(stage, "reserved", 80);
    assert_integer(stage, "context", 10);
    assert_integer(stage, "device", 90);
    assert_integer(object, "memory.peak_bytes", 90);
    assert_integer(object, "memory.headroom_bytes", 84825604096 - 90);
    json_decref(object);
}

/* "auto" in a scenario is told as what it came to, to other tools as well. */
static void names_what_was_planned(void **state)
{
    (void)state;
    struct act_plan resolved;
    char path[64];

    act_plan_init(&plan);
    act_field_set_number(&plan, ACT_F_parallel_tensor, 4);
    act_field_set_number(&plan, ACT_F_parallel_data, 16);
    assert_int_equal(plan.parallel.zero, ACT_AUTO);
    act_estimate(&plan, &result);
    act_plan_resolve(&plan, &resolved);
    struct act_tool tools[ACT_TOOLS_MAX];
    int count = act_tools_of(&resolved, &result.parameters, &result.layout, &result.memory, tools);
    json_t *object = written();
    assert_text(object, "model", plan.model.preset);
    assert_text(object, "hardware", plan.hardware.preset);
    assert_integer(object, "parallel.tensor", 4);
    assert_integer(object, "parallel.context", 1);
    assert_integer(object, "parallel.expert", 1);
    assert_integer(object, "parallel.data", 16);
    assert_integer(object, "parallel.zero", resolved.parallel.zero);
    assert_integer(object, "training.global_batch", resolved.training.global_batch);
    assert_text(object, "training.precision", "bf16");
    assert_true(json_is_false(at(object, "late")));
    assert_true(count > 0);
    assert_int_equal(json_array_size(at(object, "tools")), count);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "tools.%d.states_bytes", i);
        assert_integer(object, path, llround(tools[i].states));
    }
    json_decref(object);
}

static void leaves_out_what_does_not_apply(void **state)
{
    (void)state;
    make_up();
    result.fit = ACT_DOES_NOT_FIT;
    result.cost.known = false;
    result.cost.rent = result.cost.total = result.cost.price = NAN;
    result.cost.energy_mwh = result.cost.staff = NAN;
    result.cost.facility.ports = 0;
    result.time.tokens_per_second = INFINITY;
    json_t *object = written();
    assert_true(json_is_false(at(object, "fits")));
    assert_null(at(object, "cost.rent"));
    assert_null(at(object, "cost.total"));
    assert_null(at(object, "cost.price_per_gpu_hour"));
    assert_null(at(object, "cost.energy_mwh"));
    assert_null(at(object, "cost.staff"));
    assert_null(at(object, "cost.facility.network_ports"));
    assert_null(at(object, "cost.facility.switches"));
    assert_null(at(object, "time.tokens_per_second"));
    json_decref(object);
}

static void checks_carry_fields_and_repairs(void **state)
{
    (void)state;
    make_up();
    result.checks.count = 2;
    result.checks.check[0] = (struct act_check){
        .level = ACT_ERROR,
        .rule = "tensor-divides-heads",
        .message = "tensor 6 does not divide 64 heads",
        .fields = 2,
        .field = {ACT_F_parallel_tensor, ACT_F_model_heads},
        .repairs = 4,
        .repair = {{ACT_F_parallel_tensor, 8},
                   {ACT_F_parallel_recompute, ACT_RECOMPUTE_FULL},
                   {ACT_F_parallel_sequence_parallel, 1},
                   {ACT_F_parallel_zero, ACT_AUTO}},
    };
    result.checks.check[1] =
        (struct act_check){.level = ACT_NOTE, .rule = "note", .message = "hello"};
    json_t *object = written();
    assert_text(object, "checks.0.level", "error");
    assert_text(object, "checks.0.rule", "tensor-divides-heads");
    assert_text(object, "checks.0.message", "tensor 6 does not divide 64 heads");
    assert_text(object, "checks.0.fields.1", "model.heads");
    json_t *repair = at(object, "checks.0.repair");
    assert_int_equal(json_integer_value(json_object_get(repair, "parallel.tensor")), 8);
    assert_string_equal(json_string_value(json_object_get(repair, "parallel.recompute")), "full");
    assert_true(json_is_true(json_object_get(repair, "parallel.sequence_parallel")));
    assert_string_equal(json_string_value(json_object_get(repair, "parallel.zero")), "auto");
    assert_text(object, "checks.1.level", "note");
    assert_null(at(object, "checks.1.repair"));
    json_decref(object);
}

static void numbers_are_short_and_read_back(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } numbers[] = {
        {0.4, "0.4\n"}, {0.1, "0.1\n"}, {1, "1\n"},     {-2.5, "-2.5\n"},
        {0, "0\n"},     {1e6, NULL},    {8.4e23, NULL}, {1.0 / 3, NULL},
        {5e-324, NULL}, {1e-7, NULL},   {1e300, NULL},  {123456789.123456789, NULL},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct act_buffer text;
        json_error_t error;
        act_buffer_init(&text, 1000);
        json_t *value = json_real(numbers[i].value);
        assert_int_equal(act_json_write(value, &text), 0);
        json_decref(value);
        if (numbers[i].text)
            assert_string_equal(text.text, numbers[i].text);
        value = json_loads(text.text, JSON_DECODE_ANY, &error);
        assert_true(json_number_value(value) == numbers[i].value);
        json_decref(value);
        act_buffer_free(&text);
    }
}

static void writes_trees_in_order(void **state)
{
    (void)state;
    struct act_buffer text;
    act_buffer_init(&text, 1000);
    json_t *value = json_pack("{s:[i,s],s:{},s:[],s:{s:b}}", "b", 1, "x\n", "a", "c", "d", "e", 1);
    assert_int_equal(act_json_write(value, &text), 0);
    assert_string_equal(text.text, "{\n  \"b\": [\n    1,\n    \"x\\n\"\n  ],\n  \"a\": {},\n"
                                   "  \"c\": [],\n  \"d\": {\n    \"e\": true\n  }\n}\n");
    act_buffer_free(&text);
    act_buffer_init(&text, 10);
    assert_int_equal(act_json_write(value, &text), -1);
    json_decref(value);
    act_buffer_free(&text);
}

/* The chapter's case (engine.md 7). */
static void reports_the_chapter(void **state)
{
    (void)state;
    struct act_problems problems;
    static const char text[] = "model: {preset: llama2-70b, parameters: 70B}\n"
                               "framework: textbook\n"
                               "training: {tokens: 2T, sequence: 4096, global_batch: 1024}\n"
                               "parallel: {tensor: 4, pipeline: 4, data: 64, recompute: full}\n"
                               "hardware: {preset: a800-80gb-sxm, mfu: 40%}\n"
                               "cost: {goodput: 100%, price_per_gpu_hour: 2}\n";
    act_problems_init(&problems, "chapter");
    assert_int_equal(act_scenario_parse(text, strlen(text), &plan, &problems), 0);
    act_estimate(&plan, &result);
    json_t *object = written();
    assert_integer(object, "gpus", 1024);
    assert_integer(object, "nodes", 128);
    assert_number(object, "time.flops_6pd", 8.4e23);
    /* 8.4e23 / (1024 x 312e12 x 0.4) s = 76.08 days */
    double days = 8.4e23 / (1024 * 312e12 * 0.4) / 86400;
    assert_true(fabs(json_number_value(at(object, "time.days")) - days) < 1e-6);
    assert_true(fabs(json_number_value(at(object, "cost.rent")) - days * 24 * 1024 * 2) < 1);
    json_decref(object);
}

static void does_not_follow_the_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"C", "C.UTF-8", "de_DE.UTF-8", "de_DE.utf8", "fr_FR"};
    char first[65536] = "";
    make_up();
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        if (!setlocale(LC_ALL, locales[i]))
            continue; /* not installed here */
        struct act_buffer text;
        act_buffer_init(&text, sizeof first);
        assert_int_equal(act_json_plan(&plan, &result, &text), 0);
        if (first[0] == '\0')
            memcpy(first, text.text, text.size + 1);
        assert_string_equal(text.text, first);
        act_buffer_free(&text);
    }
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_members_of_the_contract),
        cmocka_unit_test(tells_where_an_estimated_step_goes),
        cmocka_unit_test(sizes_add_up_as_integers),
        cmocka_unit_test(leaves_out_what_does_not_apply),
        cmocka_unit_test(names_what_was_planned),
        cmocka_unit_test(checks_carry_fields_and_repairs),
        cmocka_unit_test(numbers_are_short_and_read_back),
        cmocka_unit_test(writes_trees_in_order),
        cmocka_unit_test(reports_the_chapter),
        cmocka_unit_test(does_not_follow_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
