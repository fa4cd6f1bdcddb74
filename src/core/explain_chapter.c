/* The planning chapter's figures beside the detailed ones (engine.md 7): its own sheet, worked out
 * for the same plan. */
#include "core/memory_textbook.h"

#include <actuary/explain.h>

#include <stdio.h>
#include <string.h>

/* The chapter's widths: 16-bit weights, fp32 gradients, AdamW's two moments. */
static void make_textbook(struct act_plan *plan)
{
    plan->framework.family = ACT_TEXTBOOK;
    plan->framework.weight_bytes = 2;
    plan->framework.gradient_bytes = plan->framework.gradient_bytes_fp16 = 4;
    plan->framework.state_bytes = 8;
    plan->framework.master_weights = 0;
    plan->training.precision = ACT_BF16;
    plan->training.optimizer = ACT_ADAMW;
    /* Its LoRA is 2P + 14P': a 16-bit base, and adapters trained as everything else. */
    if (plan->training.method == ACT_QLORA)
        plan->training.method = ACT_LORA;
    plan->framework.frozen_bytes = 2;
    plan->framework.lifts_frozen = 0;
}

/* Terms of the stage that the chapter has a word on, and its own terms for them. */
static const struct {
    const char *ours, *theirs[ACT_CHAPTER_MAX]; /* the first of several only with full recompute */
} pairs[] = {
    {"weights", {"all_weights"}},
    {"all_weights", {"all_weights"}},
    {"own_weights", {"all_weights"}},
    {"gradients", {"gradients"}},
    {"gradients_early", {"gradients"}},
    {"all_gradients", {"gradients"}},
    {"optimizer", {"all_optimizer"}},
    {"all_optimizer", {"all_optimizer"}},
    {"activations", {"full_form", "anyscale", "sp_form", "simple_form", "bloom_form"}},
    {"all_activations", {"full_form", "anyscale", "sp_form", "simple_form", "bloom_form"}},
    {"states", {"states"}},
    {"allocated", {"backward"}},
};

/* The chapter quotes this figure for a model of 70B at TP 8, PP 1 with recompute. */
static bool is_quoted_case(const struct act_textbook_sheet *sheet)
{
    return sheet->P > 68.5e9 && sheet->P < 71.5e9 && sheet->t == 8 && sheet->p == 1 &&
           sheet->full > 0;
}

static const char chapter_words[] = "textbook chapter";

static int add_line(const struct act_sheets *chapter, const char *symbol,
                    enum act_notation notation, struct act_chapter *ret)
{
    struct act_term term;
    struct act_explanation explanation;

    if (!act_sheets_find(chapter, ACT_SHEET_STAGE, symbol, &term))
        return 0;
    act_explain(chapter, term, notation, &explanation);
    ret->meaning = explanation.meaning;
    ret->bytes = explanation.value;
    /* That it is the chapter's is said already. */
    ret->note = explanation.source;
    if (strncmp(ret->note, chapter_words, strlen(chapter_words)) == 0)
        ret->note += strlen(chapter_words);
    ret->note += strspn(ret->note, ":; ");
    memcpy(ret->formula, explanation.formula, sizeof ret->formula);
    memcpy(ret->numbers, explanation.numbers, sizeof ret->numbers);
    return 1;
}

int act_explain_chapter(const struct act_plan *plan, const struct act_sheets *sheets,
                        struct act_term term, enum act_notation notation,
                        struct act_chapter ret[ACT_CHAPTER_MAX])
{
    struct act_plan textbook;
    struct act_sheets chapter;
    const char *symbol = sheets->table[term.sheet]->row[term.row].symbol;
    const char *const *theirs = NULL;
    int count = 0;

    act_plan_resolve(plan, &textbook);
    if (textbook.framework.family == ACT_TEXTBOOK || term.sheet > ACT_SHEET_STATES)
        return 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i].ours, symbol) == 0)
            theirs = pairs[i].theirs;
    if (theirs == NULL)
        return 0;
    make_textbook(&textbook);
    act_sheets_of(&textbook, 0, &chapter);
    struct act_textbook_sheet own;
    memcpy(&own, chapter.value[ACT_SHEET_STAGE], sizeof own);
    bool choice = theirs[1] != NULL;
    /* The forms stand in the order of the field's names, after that of full recompute. */
    int in_use = own.full > 0 ? 0 : 1 + (int)textbook.framework.textbook_activations;
    for (int i = choice && own.full <= 0 ? 1 : 0; i < ACT_CHAPTER_MAX && theirs[i] != NULL; i++)
        if (add_line(&chapter, theirs[i], notation, &ret[count]))
            ret[count++].in_use = choice && i == in_use;
    if (strcmp(symbol, "allocated") == 0 && is_quoted_case(&own)) {
        ret[count++] = (struct act_chapter){
            .meaning = "quoted there for 70B at TP 8, PP 1 with recompute: about 105 GB",
            .note = "",
            .bytes = 105e9};
    }
    return count;
}
