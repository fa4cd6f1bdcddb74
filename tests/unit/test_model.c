/* Parameter counts of every model preset against published and computed counts, adapters, frozen
 * layers. */
#include "model_presets.h"

enum { ROWS_EXPECTED = 137 };

/* tests/data/models.csv: id, computed, published, difference, active, reason. */
struct row {
    char id[64], reason[64];
    double computed, published, difference, active;
    bool has_published;
};

static bool read_row(FILE *file, struct row *row)
{
    char line[LINE_ROOM], *field[6], *at = line;

    if (!fgets(line, sizeof line, file))
        return false;
    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < 6; i++) {
        field[i] = at;
        at += strcspn(at, ",");
        assert_true(i == 5 || *at == ',');
        *at++ = '\0';
    }
    snprintf(row->id, sizeof row->id, "%s", field[0]);
    snprintf(row->reason, sizeof row->reason, "%s", field[5]);
    row->computed = strtod(field[1], NULL);
    row->has_published = *field[2] != '\0';
    row->published = strtod(field[2], NULL);
    row->difference = strtod(field[3], NULL);
    row->active = strtod(field[4], NULL);
    return true;
}

/* What a listing holds more than the model, worked out from the model's own shape. */
static double explained(const struct row *row, const struct act_plan *plan)
{
    const struct act_model_fields *model = &plan->model;
    double h = (double)model->hidden, table = (double)model->vocab * h;
    struct act_plan with_mtp = *plan;

    with_mtp.model.mtp_layers = 1;
    double mtp = count_of(&with_mtp).mtp;
    if (strcmp(row->reason, "equal") == 0)
        return 0;
    if (strcmp(row->reason, "tied-head-stored-twice") == 0)
        return table;
    if (strcmp(row->reason, "inverse-frequencies-stored") == 0)
        return (double)(model->layers * model->head_dim / 2);
    if (strcmp(row->reason, "two-position-rows-not-listed") == 0)
        return -2 * h;
    if (strcmp(row->reason, "vision-tower-listed") == 0)
        return 416866032 + 1152 * h + 1152; /* SigLIP tower, projector, its norm */
    if (strcmp(row->reason, "mtp-copies-and-fp8-scales-listed") == 0)
        return mtp + 2 * table + 41540496;
    if (strcmp(row->reason, "mtp-and-copies-listed") == 0)
        return mtp + 2 * table;
    if (strcmp(row->reason, "mtp-listed") == 0)
        return mtp;
    /* Kimi K2: 3,416 elements of 1.026e12 that no source accounts for. */
    if (strcmp(row->reason, "unexplained") == 0 && strcmp(row->id, "kimi-k2") == 0)
        return 3416;
    fail_msg("%s: reason %s", row->id, row->reason);
    return 0;
}

static void test_every_model(void **state)
{
    FILE *file = open_source("tests/data/models.csv");
    char header[LINE_ROOM];
    struct row row;
    int rows = 0, equal = 0, with_reason = 0, active = 0;

    (void)state;
    assert_non_null(fgets(header, sizeof header, file));
    while (read_row(file, &row)) {
        struct act_plan plan;
        struct head head;
        read_model(row.id, &plan, &head);
        struct act_parameters count = count_of(&plan);

        rows++;
        assert_exact(row.id, count.counted, row.computed);
        assert_exact(row.id, count.total, row.computed);
        assert_exact(row.id, count.trainable, row.computed);
        assert_exact(row.id, head.counted, row.computed);
        assert_true(count.scale == 1);
        if (row.active > 0) {
            assert_exact(row.id, count.active, row.active);
            active++;
        } else {
            assert_exact(row.id, count.active, row.computed);
        }
        if (!row.has_published) {
            assert_string_equal(row.reason, "no-published-count");
            assert_true(head.published == 0);
            continue;
        }
        assert_exact(row.id, row.published - row.computed, row.difference);
        assert_exact(row.id, explained(&row, &plan), row.difference);
        /* Only counts that are equal or explained are called published (decisions 8). */
        bool unexplained = strcmp(row.reason, "unexplained") == 0;
        assert_exact(row.id, head.published, unexplained ? 0 : row.published);
        equal += row.difference == 0;
        with_reason += row.difference != 0 && !unexplained;
    }
    fclose(file);
    assert_int_equal(rows, ROWS_EXPECTED);
    assert_int_equal(equal, 89);
    assert_int_equal(with_reason, 17);
    assert_int_equal(active, 21);
}

/* facts: presets.md 4: DeepSeek-V3's MTP module as published has its own embedding and head. */
static void test_mtp_of_deepseek_v3(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_of("deepseek-v3", &plan);
    double main_model = count_of(&plan).total;
    plan.model.mtp_layers = 1;
    struct act_parameters count = count_of(&plan);
    double copies = 2 * 129280.0 * 7168;

    assert_exact("module", count.mtp + copies, 13463426304);
    assert_exact("sum", count.total, main_model + count.mtp);
    /* What DeepSeek-R1 lists: main model and module. */
    assert_exact("listed", count.total + copies, 684489845504);
    /* A layer, 2h x h and three norms. */
    assert_exact("layer", count.mtp - act_layer_sum(&count.moe_layer),
                 2 * 7168.0 * 7168 + 3 * 7168.0);
    plan.model.mtp_layers = 2;
    assert_exact("two", count_of(&plan).mtp, 2 * count.mtp);
}

/* Active counts as their publishers count them. */
static void test_active_conventions(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_of("gpt-oss-20b", &plan);
    assert_exact("20b", count_of(&plan).active_without_embedding, 3608307264);
    plan_of("gpt-oss-120b", &plan);
    assert_exact("120b", count_of(&plan).active_without_embedding, 5132849472);
    plan_of("minimax-text-01", &plan);
    struct act_parameters count = count_of(&plan);
    assert_exact("minimax", count.active_without_embedding - count.head, 45944920064);
    /* A tied embedding is the head too: a token passes it. */
    plan_of("llama3.2-1b", &plan);
    count = count_of(&plan);
    assert_exact("tied", count.active_without_embedding, 1235814400);
    plan_of("llama3-8b", &plan);
    count = count_of(&plan);
    assert_exact("untied", count.active_without_embedding, 8030261248 - 128256.0 * 4096);
}

/* Where parts stand decides what tensor parallelism divides. */
static void test_parts_of_a_layer(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_of("llama2-70b", &plan);
    struct act_parameters count = count_of(&plan);
    assert_exact("kv", count.dense_layer.attention_kv, 2 * 8192.0 * 1024);
    assert_exact("split", count.dense_layer.attention_split, 2 * 8192.0 * 8192);
    assert_exact("whole", count.dense_layer.attention_whole, 0);
    assert_exact("mlp", count.dense_layer.mlp_split, 3 * 8192.0 * 28672);
    assert_exact("norms", count.dense_layer.norms, 2 * 8192.0);
    assert_true(count.dense_layers == 80 && count.moe_layers == 0);

    /* The output projection's and second matrix's biases are added after the sum over ranks. */
    plan_of("gpt3-175b", &plan);
    count = count_of(&plan);
    assert_exact("query", count.dense_layer.attention_split, 2 * 12288.0 * 12288 + 12288);
    assert_exact("kv", count.dense_layer.attention_kv, 2 * 12288.0 * 12288 + 2 * 12288);
    assert_exact("output bias", count.dense_layer.attention_whole, 12288);
    assert_exact("fc1 bias", count.dense_layer.mlp_split, 2 * 12288.0 * 49152 + 49152);
    assert_exact("fc2 bias", count.dense_layer.mlp_whole, 12288);
    assert_exact("positions", count.positions, 2048 * 12288.0);

    plan_of("deepseek-v3", &plan);
    count = count_of(&plan);
    assert_exact("down-projections and their norms", count.moe_layer.attention_whole,
                 7168.0 * 1536 + 7168.0 * (512 + 64) + 1536 + 512);
    assert_exact("router", count.moe_layer.mlp_whole, 256.0 * 7168 + 256);
    assert_exact("shared", count.moe_layer.mlp_split, 3 * 7168.0 * 2048);
    assert_exact("experts", count.moe_layer.experts, 256 * 3 * 7168.0 * 2048);
    assert_exact("dense", count.dense_layer.mlp_split, 3 * 7168.0 * 18432);
    assert_true(count.dense_layers == 3 && count.moe_layers == 58);

    plan_of("opt-350m", &plan);
    count = count_of(&plan);
    assert_exact("embedding", count.embedding, 50272 * 512.0);
    assert_exact("projections", count.embedding_extra, 2 * 512.0 * 1024);
    assert_exact("no final norm", count.final_norm, 0);
}

static void test_which_layers_are_moe(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_of("deepseek-v3", &plan);
    assert_false(act_model_layer_is_moe(&plan, 2));
    assert_true(act_model_layer_is_moe(&plan, 3));
    assert_true(act_model_layer_is_moe(&plan, 60));
    plan_of("llama2-7b", &plan);
    assert_false(act_model_layer_is_moe(&plan, 0));

    /* The layers counted are the layers told, for any pattern. */
    uint32_t seed = 20261130, x = seed;
    plan_of("mixtral-8x7b", &plan);
    for (int round = 0; round < 2000; round++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        plan.model.layers = 1 + x % 100;
        plan.model.dense_layers = x / 100 % 40;
        plan.model.moe_every = 1 + x / 4000 % 6;
        double moe = 0;
        for (int64_t i = 0; i < plan.model.layers; i++)
            moe += act_model_layer_is_moe(&plan, i);
        struct act_parameters count = count_of(&plan);
        if (count.moe_layers != moe || count.dense_layers != (double)plan.model.layers - moe)
            fail_msg("seed %u, round %d: %g MoE layers counted, %g told", (unsigned)seed, round,
                     count.moe_layers, moe);
    }
    plan.model.layers = 6;
    plan.model.dense_layers = 1;
    plan.model.moe_every = 2;
    static const bool expected[] = {false, true, false, true, false, true};
    for (int i = 0; i < 6; i++)
        assert_int_equal(act_model_layer_is_moe(&plan, i), expected[i]);
}

static void test_overruled_count(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_of("llama2-70b", &plan);
    plan.model.parameters = 70e9;
    struct act_parameters count = count_of(&plan);
    assert_exact("total", count.total, 70e9);
    assert_exact("counted", count.counted, 68976648192);
    assert_near(count.scale, 70e9 / 68976648192, 1e-15);
    assert_exact("trainable", count.trainable, 70e9);
    assert_near(count.active, 70e9, 1e-15);
    plan.framework.family = ACT_TEXTBOOK;
    plan.training.tokens = 2e12;
    struct act_flops flops = flops_of(&plan);
    assert_exact("6 P D", flops.six_pd, 8.4e23);
    assert_exact("total", flops.total, 8.4e23);
    assert_exact("a token", flops.per_token, 4.2e11);
}

static double trainable(const char *name, enum act_lora_targets targets, int64_t rank)
{
    struct act_plan plan;

    plan_of(name, &plan);
    plan.training.method = ACT_LORA;
    plan.training.lora_targets = targets;
    plan.training.lora_rank = rank;
    return count_of(&plan).trainable;
}

static double prompted(const char *name, enum act_adapter adapter)
{
    struct act_plan plan;

    plan_of(name, &plan);
    plan.training.method = ACT_LORA;
    plan.training.adapter = adapter;
    return count_of(&plan).trainable;
}

static void test_adapters(void **state)
{
    (void)state;
    /* LLaMA-Adapter on Llama-2-7B: ten rows of 4096 and a gate a head in 30 layers. Version 2: a
     * scale and a bias for 5 x 4096 + 2 x 11008 outputs a layer and the head's, and the norms. */
    assert_exact("prompts", prompted("llama2-7b", ACT_ADAPTER_LLAMA), 30 * (40960.0 + 32));
    assert_exact("scales", prompted("llama2-7b", ACT_ADAPTER_LLAMA_2),
                 30 * (40960.0 + 32) + 32 * (2 * (5 * 4096 + 2 * 11008.0) + 2 * 4096) + 4096 +
                     2 * 32000);
    assert_exact("qkv", trainable("llama2-7b", ACT_TARGETS_QKV, 8), 8.0 * 32 * 3 * 8192);
    assert_exact("qkv and mlp", trainable("llama2-7b", ACT_TARGETS_QKV_MLP, 8),
                 8.0 * 32 * (3 * 8192 + 3 * 15104));
    assert_exact("head", trainable("llama2-7b", ACT_TARGETS_ALL_HEAD, 16),
                 39976960 + 16 * (4096.0 + 32000));
    /* Llama-2-7B, a layer: q k v o 4 x 8192, gate and up 2 x 15104, down 15104. The two results
     * are what PEFT prints for these settings. */
    assert_exact("all", trainable("llama2-7b", ACT_TARGETS_ALL, 16), 39976960);
    assert_exact("qv", trainable("llama2-7b", ACT_TARGETS_QV, 8), 4194304);
    assert_exact("attention", trainable("llama2-7b", ACT_TARGETS_ATTENTION, 16),
                 16.0 * 32 * 4 * 8192);
    assert_exact("mlp", trainable("llama2-7b", ACT_TARGETS_MLP, 16), 16.0 * 32 * 3 * 15104);
    /* Grouped heads: v is 8192 to 1024. */
    assert_exact("grouped", trainable("llama2-70b", ACT_TARGETS_QV, 8),
                 8.0 * 80 * (8192 + 8192 + 8192 + 1024));
    /* Plain MLP: up and down. */
    assert_exact("plain", trainable("gpt3-175b", ACT_TARGETS_MLP, 4),
                 4.0 * 96 * 2 * (12288 + 49152));
    /* Mixtral, a layer: q and o 8192, k and v 5120, eight experts of three matrices; no router. */
    assert_exact("experts", trainable("mixtral-8x7b", ACT_TARGETS_ALL, 16),
                 16.0 * 32 * (2 * 8192 + 2 * 5120 + 8 * 3 * (4096 + 14336)));
    /* MLA without a query rank: q 2048 to 16 x 192, down 2048 to 576, up 512 to 16 x 256,
     * o 2048 to 2048. */
    assert_exact("mla", trainable("deepseek-v2-lite", ACT_TARGETS_ATTENTION, 16),
                 16.0 * 27 * (5120 + 2624 + 4608 + 4096));
    assert_exact("mla qv", trainable("deepseek-v2-lite", ACT_TARGETS_QV, 16),
                 16.0 * 27 * (5120 + 4608));
    /* First layer dense, 26 with 64 experts and a shared one of 2816. */
    assert_exact("mla mlp", trainable("deepseek-v2-lite", ACT_TARGETS_MLP, 2),
                 2.0 * 3 * ((2048 + 10944) + 26.0 * (64 * (2048 + 1408) + (2048 + 2816))));
}

static void test_frozen_layers(void **state)
{
    struct act_plan plan;

    (void)state;
    /* Llama-2-7B: 4 h^2 + 3 h f + 2 h = 202,383,360 a layer, embedding 131,072,000. */
    plan_of("llama2-7b", &plan);
    plan.training.method = ACT_FREEZE;
    plan.training.frozen_layers = 30;
    assert_exact("30", count_of(&plan).trainable, 535842816);
    plan.training.frozen_layers = 0;
    assert_exact("none", count_of(&plan).trainable, 6738415616);
    /* More than there are: head and final norm are left. */
    plan.training.frozen_layers = 100;
    assert_exact("all", count_of(&plan).trainable, 131072000 + 4096);
    /* Three dense layers and one of experts. */
    plan_of("deepseek-v3", &plan);
    plan.training.method = ACT_FREEZE;
    plan.training.frozen_layers = 4;
    struct act_parameters count = count_of(&plan);
    assert_exact("mixed", count.total - count.trainable,
                 3 * act_layer_sum(&count.dense_layer) + act_layer_sum(&count.moe_layer) +
                     129280.0 * 7168);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_model),
        cmocka_unit_test(test_mtp_of_deepseek_v3),
        cmocka_unit_test(test_active_conventions),
        cmocka_unit_test(test_parts_of_a_layer),
        cmocka_unit_test(test_which_layers_are_moe),
        cmocka_unit_test(test_overruled_count),
        cmocka_unit_test(test_adapters),
        cmocka_unit_test(test_frozen_layers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
