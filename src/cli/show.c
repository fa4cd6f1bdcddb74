/* actuary show: one preset as its YAML. */
#include "cli/output.h"
#include "cli/verbs.h"
#include "io/presets.h"

#include <stdio.h>
#include <string.h>

/* Splits "models/NAME" into kind and name; a bare name leaves *ret_kind at ACT_PRESET_KINDS. */
static const char *split(const char *operand, enum act_preset_kind *ret_kind)
{
    *ret_kind = ACT_PRESET_KINDS;
    for (int i = 0; i < ACT_PRESET_KINDS; i++) {
        const char *kind = act_preset_kind_name((enum act_preset_kind)i);
        size_t length = strlen(kind);
        if (strncmp(operand, kind, length) == 0 && operand[length] == '/') {
            *ret_kind = (enum act_preset_kind)i;
            return operand + length + 1;
        }
    }
    return operand;
}

static int refuse_unknown(const char *operand, const char *name, enum act_preset_kind kind)
{
    char shown[128];

    act_printable(operand, strlen(operand), shown, sizeof shown);
    for (int i = 0; i < ACT_PRESET_KINDS; i++) {
        if (kind != ACT_PRESET_KINDS && (int)kind != i) {
            continue;
        }
        const char *nearest = act_preset_nearest((enum act_preset_kind)i, name);
        if (nearest) {
            act_output_error("show", "there is no preset \"%s\"; did you mean %s/%s?", shown,
                             act_preset_kind_name((enum act_preset_kind)i), nearest);
            return ACT_EXIT_FILE;
        }
    }
    act_output_error("show", "there is no preset \"%s\"; \"actuary list %s\" shows what there is",
                     shown, act_preset_kind_name(kind == ACT_PRESET_KINDS ? ACT_MODELS : kind));
    return ACT_EXIT_FILE;
}

static int refuse_ambiguous(const char *name)
{
    char list[512] = "", shown[128];
    size_t length = 0;

    act_printable(name, strlen(name), shown, sizeof shown);
    for (int i = 0; i < ACT_PRESET_KINDS && length < sizeof list; i++) {
        if (act_preset_find((enum act_preset_kind)i, name) >= 0) {
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s/%s",
                                       length ? " or " : "",
                                       act_preset_kind_name((enum act_preset_kind)i), shown);
        }
    }
    act_output_error("show", "\"%s\" names more than one preset; say %s", shown, list);
    return ACT_EXIT_USAGE;
}

int act_cli_show(const struct act_options *options)
{
    enum act_preset_kind kind;
    struct act_preset_info info;
    struct act_problems problems;
    struct act_buffer out;
    size_t size;
    int found = 0;

    if (options->operands != 1) {
        act_output_error("show", "which preset? Name one; \"actuary list models\" shows those "
                                 "of models");
        return ACT_EXIT_USAGE;
    }
    const char *name = split(options->operand[0], &kind);
    for (int i = 0; i < ACT_PRESET_KINDS && kind == ACT_PRESET_KINDS; i++) {
        found += act_preset_find((enum act_preset_kind)i, name) >= 0;
    }
    if (found > 1) {
        return refuse_ambiguous(name);
    }
    for (int i = 0; i < ACT_PRESET_KINDS && found == 1; i++) {
        if (act_preset_find((enum act_preset_kind)i, name) >= 0) {
            kind = (enum act_preset_kind)i;
        }
    }
    if (kind == ACT_PRESET_KINDS || act_preset_find(kind, name) < 0) {
        return refuse_unknown(options->operand[0], name, kind);
    }
    act_problems_init(&problems, name);
    const char *text = act_preset_text(kind, name, &size);
    if (!text || act_preset_describe(kind, name, &info, &problems) < 0) {
        if (problems.count == 0) {
            act_problems_add(&problems, 0, 0, "", "cannot be read");
        }
        act_output_problems(&problems);
        return ACT_EXIT_FILE;
    }
    act_buffer_init(&out, ACT_OUTPUT_MAX);
    if (kind == ACT_FRAMEWORKS) {
        struct act_plan plan;
        act_plan_init(&plan);
        if (act_preset_apply(&plan, kind, name, true, &problems) == 0 &&
            plan.framework.validated == 0) {
            act_buffer_puts(&out, "# Not validated: memory was not compared with measured runs, "
                                  "+-20 %.\n");
        }
    }
    act_buffer_add(&out, text, size);
    int status = act_output_write(options, &out, ACT_EXIT_OK);
    act_buffer_free(&out);
    return status;
}
