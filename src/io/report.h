/* Reports to send: Markdown, and HTML in one file that loads nothing and runs nothing. */
#ifndef ACTUARY_IO_REPORT_H
#define ACTUARY_IO_REPORT_H

#include "io/buffer.h"
#include "io/comparison.h"

enum act_report_parts {
    ACT_REPORT_WHOLE,      /* every scenario, and the comparison when there are several */
    ACT_REPORT_COMPARISON, /* the comparison alone */
    ACT_REPORT_DIFFERENCES /* the same without fields that do not differ */
};

/* Appends the report on `count` scenarios, 1 … ACT_CASES_MAX. What cannot be made for lack of
 * memory or room shows in out->failed. */
void act_report_markdown(const struct act_case *cases, int count, enum act_report_parts parts,
                         struct act_buffer *out);
void act_report_html(const struct act_case *cases, int count, enum act_report_parts parts,
                     struct act_buffer *out);

/* "Llama-2-70B on 64 A800", or for several the first name and how many more there are. */
void act_report_title(const struct act_case *cases, int count, char *out, size_t size);
/* What a scenario comes down to, with the titles of its presets; two sentences or more. */
void act_report_conclusion(const struct act_case *item, char *out, size_t size);

#endif
