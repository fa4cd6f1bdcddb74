/* Quantities and fields under random input: what is written reads back as the same, and garbage
 * neither crashes nor changes anything. Seed: ACTUARY_SEED, else fixed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/field.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 0x9e3779b97f4a7c15u, state_of_random;

static uint64_t random_bits(void) /* xorshift64 */
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return state_of_random;
}

static unsigned random_below(unsigned limit)
{
    return (unsigned)(random_bits() >> 33) % limit;
}

static int start(void **state)
{
    (void)state;
    state_of_random = seed;
    return 0;
}

/* Any finite double of `unit` (shares within the whole), or a number as people use them. */
static double random_value(enum act_unit unit)
{
    double value;

    do {
        if (random_below(2) == 0) {
            uint64_t bits = random_bits();
            memcpy(&value, &bits, sizeof value);
        } else {
            value = (double)random_below(10000) / (double)(1 + random_below(100));
            value *= pow(random_below(2) == 0 ? 10 : 2, (double)random_below(40));
        }
    } while (!isfinite(value));
    if (unit == ACT_UNIT_BYTES && random_below(2) == 0)
        value = ldexp(floor(fmod(fabs(value), 1e6)) / 100, 30);
    return unit == ACT_UNIT_SHARE ? fmod(fabs(value), 1) : value;
}

static void test_format_then_parse_is_identity(void **state)
{
    enum { ROUNDS = 3000 };

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        for (int unit = ACT_UNIT_NONE; unit <= ACT_UNIT_MONEY; unit++) {
            double value = random_value((enum act_unit)unit), back = 0;
            char text[64], why[200] = "";
            size_t length =
                act_quantity_format(value, (enum act_unit)unit, ACT_STYLE_FILE, text, sizeof text);

            if (length >= sizeof text ||
                act_quantity_parse(text, (enum act_unit)unit, 0, &back, why, sizeof why) != 0 ||
                back != value)
                fail_msg("seed %" PRIu64 " unit %d: %.17g, '%s', %.17g %s", seed, unit, value, text,
                         back, why);
        }
    }
}

static void test_short_texts_are_short(void **state)
{
    enum { ROUNDS = 5000, LONGEST = 32 };

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        enum act_unit unit = (enum act_unit)random_below(ACT_UNIT_MONEY + 1);
        enum act_style style = random_below(2) == 0 ? ACT_STYLE_SHORT : ACT_STYLE_SHORT_GB;
        double value = random_value(unit);
        char text[64], cut[8];
        size_t length = act_quantity_format(value, unit, style, text, sizeof text);

        if (length > LONGEST || length != strlen(text))
            fail_msg("seed %" PRIu64 ": %.17g '%s'", seed, value, text);
        assert_int_equal(act_quantity_format(value, unit, style, cut, sizeof cut), length);
        assert_int_equal(strncmp(text, cut, strlen(cut)), 0);
    }
}

/* Half of it pieces that quantities are made of, so that the reader gets far. */
static void random_text(char *text, size_t size)
{
    static const char *const pieces[] = {
        "1",     "0",  ".", "e",   "-",   "+",  "*", "/",    "(",    ")",   "_",
        ",",     "%",  "k", "GiB", "B/s", "T",  " ", "0x",   "[",    "]",   "nan",
        "FLOPS", "99", "b", "ms",  "d",   "\t", "é", "auto", "none", "mlp", "1e308"};
    size_t length = 0, wanted = random_below((unsigned)size);

    while (length < wanted) {
        const char *piece = pieces[random_below(sizeof pieces / sizeof *pieces)];
        char byte[2] = {(char)(1 + random_below(255)), '\0'};

        if (random_below(3) == 0)
            piece = byte;
        if (length + strlen(piece) >= size)
            break;
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
    }
    text[length] = '\0';
}

static bool is_printable_line(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text < ' ' || *text > '~')
            return false;
    }
    return true;
}

static void test_garbage_never_writes(void **state)
{
    enum { ROUNDS = 30000 };

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        char text[300], why[120];
        double value = -777.25;
        enum act_unit unit = (enum act_unit)random_below(ACT_UNIT_MONEY + 1);

        random_text(text, i % 4 == 0 ? sizeof text : 12);
        why[0] = '\0';
        if (act_quantity_parse(text, unit, random_below(4), &value, why, sizeof why) == 0) {
            if (!isfinite(value))
                fail_msg("seed %" PRIu64 ": '%s' is %f", seed, text, value);
        } else if (value != -777.25 || why[0] == '\0' || !is_printable_line(why)) {
            fail_msg("seed %" PRIu64 ": '%s' wrote %f, '%s'", seed, text, value, why);
        }
    }
}

/* A plan whose every number was set from random but valid text. */
static void random_plan(struct act_plan *plan)
{
    act_plan_init(plan);
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        const struct act_field *field = act_field((enum act_field_id)id);
        double part = (double)random_below(1000001) / 1e6, value;

        if (field->kind == ACT_KIND_REAL || field->kind == ACT_KIND_INT) {
            double low = field->min > 0 ? log(field->min) : 0; /* evenly by magnitude */
            value = exp(low + part * (log(field->max) - low));
            value = field->kind == ACT_KIND_INT ? floor(value) : value;
            value = fmin(fmax(value, field->min), field->max);
        } else if (field->kind == ACT_KIND_ENUM) {
            unsigned count = 0;
            while (field->names[count] != NULL)
                count++;
            value = random_below(count);
        } else if (field->kind == ACT_KIND_BOOL || field->kind == ACT_KIND_SET) {
            value = random_below(2);
        } else {
            continue;
        }
        if ((field->flags & ACT_FIELD_AUTO) != 0 && random_below(3) == 0)
            value = ACT_AUTO;
        act_field_set_number(plan, (enum act_field_id)id, value);
    }
    plan->parallel.layers_per_stage.count = (int32_t)random_below(ACT_LIST_MAX + 1);
    for (int i = 0; i < plan->parallel.layers_per_stage.count; i++)
        plan->parallel.layers_per_stage.item[i] = (uint16_t)random_below(1025);
}

static void test_fields_read_back(void **state)
{
    enum { ROUNDS = 60 };

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        struct act_plan plan, back, once, twice;

        random_plan(&plan);
        act_plan_init(&back);
        for (int id = 0; id < ACT_FIELD_COUNT; id++) {
            char text[4096], why[200] = "";

            if (id == ACT_F_parallel_gpus)
                continue; /* it is data that is written */
            act_field_text(&plan, (enum act_field_id)id, ACT_STYLE_FILE, text, sizeof text);
            if (act_field_set_text(&back, (enum act_field_id)id, text, 0, why, sizeof why) != 0 ||
                !act_field_equal(&plan, &back, (enum act_field_id)id))
                fail_msg("seed %" PRIu64 ": %s: '%s' %s", seed,
                         act_field((enum act_field_id)id)->key, text, why);
        }
        act_plan_resolve(&plan, &once);
        act_plan_resolve(&once, &twice);
        if (!act_plan_equal(&once, &twice))
            fail_msg("seed %" PRIu64 ": resolving again changes plan %d", seed, i);
    }
}

static void test_garbage_never_changes_a_plan(void **state)
{
    enum { ROUNDS = 30000 };
    struct act_plan plan, before;

    (void)state;
    act_plan_init(&plan);
    for (int i = 0; i < ROUNDS; i++) {
        enum act_field_id id = (enum act_field_id)random_below(ACT_FIELD_COUNT);
        char text[300], why[300] = "";

        random_text(text, i % 4 == 0 ? sizeof text : 12);
        before = plan;
        (void)act_field_nearest(text);
        if (act_field_set_text(&plan, id, text, random_below(2), why, sizeof why) == 0) {
            plan = before;
        } else if (memcmp(&plan, &before, sizeof plan) != 0 || !is_printable_line(why) ||
                   why[0] == '\0') {
            fail_msg("seed %" PRIu64 ": %s: '%s' '%s'", seed, act_field(id)->key, text, why);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup(name, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_format_then_parse_is_identity), TEST(test_short_texts_are_short),
        TEST(test_garbage_never_writes),          TEST(test_fields_read_back),
        TEST(test_garbage_never_changes_a_plan),
    };
    const char *given = getenv("ACTUARY_SEED");

    if (given != NULL && strtoull(given, NULL, 0) != 0)
        seed = strtoull(given, NULL, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
