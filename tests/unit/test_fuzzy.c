/* Fuzzy scores: what fits at all, what stands before what, and that nothing goes beyond the
 * limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/fuzzy.h"
#include <stdio.h>
#include <string.h>

static void letters_in_their_order_fit(void **state)
{
    (void)state;
    static const char *const fit[][2] = {{"", "anything"},        {"t", "tensor TP"},
                                         {"tp", "tensor TP"},     {"TENS", "tensor TP"},
                                         {"gbt", "global batch"}, {"bat glo", "global batch"},
                                         {"mb", "micro_batch"},   {"rec_mod", "recompute-modules"},
                                         {"  tp ", "tensor TP"},  {"h100", "h100-sxm-80gb"},
                                         {"a.b", "a_b"}};
    static const char *const unfit[][2] = {
        {"pt", "tp"}, {"tpp", "tp"}, {"x", ""}, {"batch zero", "global batch"}, {"88", "8"}};
    for (size_t i = 0; i < sizeof fit / sizeof *fit; i++)
        if (act_fuzzy_score(fit[i][0], fit[i][1]) <= 0)
            fail_msg("\"%s\" should fit \"%s\"", fit[i][0], fit[i][1]);
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++)
        if (act_fuzzy_score(unfit[i][0], unfit[i][1]) != 0)
            fail_msg("\"%s\" should not fit \"%s\"", unfit[i][0], unfit[i][1]);
    assert_int_equal(act_fuzzy_score("", "anything"), 1);
}

static void better_places_score_more(void **state)
{
    (void)state;
    /* pattern, the better text, the other */
    static const char *const order[][3] = {
        {"rec", "recompute", "precision"},       /* at the beginning */
        {"ba", "global batch", "global abacus"}, /* at a word */
        {"seq", "sequence", "s e q"},            /* together */
        {"zero", "zero", "zero offload"},        /* nothing left over */
        {"undo", "undo", "under one"},           /* together, whole */
        {"gb", "global batch", "garb"},          /* two words' beginnings */
        {"h100", "h100-pcie", "llama3-8b-h100"},
    };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        int better = act_fuzzy_score(order[i][0], order[i][1]);
        int other = act_fuzzy_score(order[i][0], order[i][2]);
        if (better <= other)
            fail_msg("\"%s\": %d for \"%s\", %d for \"%s\"", order[i][0], better, order[i][1],
                     other, order[i][2]);
    }
}

static void what_is_too_long_is_not_looked_at(void **state)
{
    (void)state;
    char text[2000], pattern[1000];
    memset(text, 'a', sizeof text - 2);
    text[sizeof text - 2] = 'z';
    text[sizeof text - 1] = '\0';
    memset(pattern, 'a', sizeof pattern - 1);
    pattern[sizeof pattern - 1] = '\0';
    assert_true(act_fuzzy_score(pattern, text) > 0);
    assert_int_equal(act_fuzzy_score("z", text), 0); /* beyond the limit */
    pattern[ACT_FUZZY_PATTERN_MAX] = 'q';            /* likewise */
    assert_true(act_fuzzy_score(pattern, text) > 0);
    pattern[ACT_FUZZY_PATTERN_MAX - 1] = 'q';
    assert_int_equal(act_fuzzy_score(pattern, text), 0);
}

/* Is the pattern a subsequence of the text, told the slow way? */
static int is_subsequence(const char *pattern, const char *text)
{
    for (; *text != '\0' && *pattern != '\0'; text++)
        pattern += *pattern == *text;
    return *pattern == '\0';
}

static void fits_exactly_the_subsequences(void **state)
{
    (void)state;
    uint64_t seed = 20261130;
    for (int round = 0; round < 100000; round++) {
        char pattern[8], text[16];
        size_t sizes[2] = {0};
        for (int i = 0; i < 2; i++) {
            char *out = i == 0 ? pattern : text;
            size_t most = i == 0 ? sizeof pattern - 1 : sizeof text - 1;
            seed = seed * 6364136223846793005U + 1442695040888963407U;
            sizes[i] = (seed >> 40) % (most + 1);
            for (size_t k = 0; k < sizes[i]; k++) {
                seed = seed * 6364136223846793005U + 1442695040888963407U;
                out[k] = (char)('a' + (seed >> 40) % 3);
            }
            out[sizes[i]] = '\0';
        }
        int score = act_fuzzy_score(pattern, text);
        assert_int_equal(score, act_fuzzy_score(pattern, text));
        if ((score > 0) != is_subsequence(pattern, text))
            fail_msg("\"%s\" in \"%s\": %d", pattern, text, score);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_in_their_order_fit),
        cmocka_unit_test(better_places_score_more),
        cmocka_unit_test(what_is_too_long_is_not_looked_at),
        cmocka_unit_test(fits_exactly_the_subsequences),
    };
    return cmocka_run_group_tests_name("fuzzy", tests, NULL, NULL);
}
