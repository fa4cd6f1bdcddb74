#include "io/report_svg.h"

#include "io/escape.h"

#include <actuary/units.h>
#include <math.h>

/* Height of a bar's element and where in it the bar stands, in pixels. */
enum { HEIGHT = 26, TOP = 3, BAR = 20, LETTER_BASE = 17 };

/* Narrower parts have no room for their letter. */
static const double letter_room = 0.045;

struct percent {
    char text[32];
};

/* Four decimals: a thousandth of a pixel of any screen. */
static struct percent percent(double part, double full)
{
    struct percent percent;
    act_number_format(full > 0 ? 100 * part / full : 0, 4, false, percent.text,
                      sizeof percent.text);
    return percent;
}

static struct percent decimal(double value, int decimals)
{
    struct percent text;
    act_number_format(value, decimals, true, text.text, sizeof text.text);
    return text;
}

double act_svg_full(double capacity, double peak)
{
    return fmax(capacity, peak);
}

static void begin(struct act_buffer *out, const char *name)
{
    act_buffer_printf(out, "<svg class=\"bar\" width=\"100%%\" height=\"%d\" role=\"img\"><title>",
                      HEIGHT);
    act_escape_html(out, name);
    act_buffer_puts(out, "</title>");
}

/* One part of a bar from `start` on. */
static void put_part(struct act_buffer *out, char set, char letter, double start, double amount,
                     double full)
{
    act_buffer_printf(
        out, "<rect class=\"%c%c\" x=\"%s%%\" y=\"%d\" width=\"%s%%\" height=\"%d\"></rect>", set,
        letter, percent(start, full).text, TOP, percent(amount, full).text, BAR);
    if (amount >= letter_room * full)
        act_buffer_printf(out, "<text class=\"t%c%c\" x=\"%s%%\" y=\"%d\">%c</text>", set, letter,
                          percent(start + amount / 2, full).text, LETTER_BASE, letter);
}

static bool drawable(double amount)
{
    return isfinite(amount) && amount > 0;
}

/* Transients and buffers share a letter, and stand side by side: one part. */
static double joined(const struct act_stage *stage, int first, int *ret_next)
{
    char letter = act_component_letter((enum act_component)first);
    double amount = 0;
    int i = first;

    for (; i < ACT_COMPONENT_COUNT && act_component_letter((enum act_component)i) == letter; i++)
        amount += stage->component[i];
    *ret_next = i;
    return amount;
}

static void describe_stage(struct act_buffer *out, const struct act_stage *stage, double usable)
{
    const double gib = 1073741824.0;

    act_buffer_printf(out, "<desc>%s of %s GiB usable:", decimal(stage->device / gib, 1).text,
                      decimal(usable / gib, 1).text);
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        if (drawable(stage->component[i]))
            act_buffer_printf(out, " %s %s", act_component_label((enum act_component)i),
                              decimal(stage->component[i] / gib, 1).text);
    }
    act_buffer_puts(out, "</desc>");
}

void act_svg_stage(struct act_buffer *out, const char *name, const struct act_stage *stage,
                   double usable, double full)
{
    double start = 0;

    begin(out, name);
    describe_stage(out, stage, usable);
    for (int i = 0, next; i < ACT_COMPONENT_COUNT; i = next) {
        double amount = joined(stage, i, &next);
        if (!drawable(amount))
            continue;
        put_part(out, 'm', act_component_letter((enum act_component)i), start, amount, full);
        start += amount;
    }
    if (stage->device > usable)
        act_buffer_printf(
            out, "<rect class=\"over\" x=\"%s%%\" y=\"0\" width=\"%s%%\" height=\"%d\"></rect>",
            percent(usable, full).text, percent(stage->device - usable, full).text, TOP);
    act_buffer_printf(
        out, "<line class=\"capacity\" x1=\"%s%%\" x2=\"%s%%\" y1=\"0\" y2=\"%d\"></line></svg>\n",
        percent(usable, full).text, percent(usable, full).text, HEIGHT);
}

void act_svg_step(struct act_buffer *out, const struct act_time *time)
{
    double start = 0;

    begin(out, "one step");
    act_buffer_puts(out, "<desc>");
    for (int i = 0; i < ACT_TIME_PARTS; i++) {
        if (drawable(time->part[i]))
            act_buffer_printf(out, "%s %s %% ", act_time_part_name((enum act_time_part)i),
                              decimal(100 * time->part[i] / time->step_seconds, 1).text);
    }
    act_buffer_puts(out, "</desc>");
    for (int i = 0; i < ACT_TIME_PARTS; i++) {
        if (!drawable(time->part[i]))
            continue;
        put_part(out, 's', act_time_part_letter((enum act_time_part)i), start, time->part[i],
                 time->step_seconds);
        start += time->part[i];
    }
    act_buffer_puts(out, "</svg>\n");
}

static void put_entry(struct act_buffer *out, char set, char letter, const char *name)
{
    act_buffer_printf(out,
                      "<li><svg class=\"key\" width=\"18\" height=\"18\" aria-hidden=\"true\">"
                      "<rect class=\"%c%c\" width=\"18\" height=\"18\"></rect>"
                      "<text class=\"t%c%c\" x=\"9\" y=\"13\">%c</text></svg> %s</li>",
                      set, letter, set, letter, letter, name);
}

static bool stands_for_something(const struct act_stage *const *stages, int count, int first)
{
    int next;

    for (int i = 0; i < count; i++) {
        if (drawable(joined(stages[i], first, &next)))
            return true;
    }
    return false;
}

void act_svg_stage_legend(struct act_buffer *out, const struct act_stage *const *stages, int count)
{
    static const struct act_stage nothing;

    act_buffer_puts(out, "<ul class=\"legend\">");
    for (int i = 0, next; i < ACT_COMPONENT_COUNT; i = next) {
        joined(&nothing, i, &next);
        if (!stands_for_something(stages, count, i))
            continue;
        put_entry(out, 'm', act_component_letter((enum act_component)i),
                  next - i > 1 ? "buffers and transients"
                               : act_component_label((enum act_component)i));
    }
    act_buffer_puts(out, "</ul>\n");
}

void act_svg_step_legend(struct act_buffer *out, const struct act_time *time)
{
    act_buffer_puts(out, "<ul class=\"legend\">");
    for (int i = 0; i < ACT_TIME_PARTS; i++) {
        if (drawable(time->part[i]))
            put_entry(out, 's', act_time_part_letter((enum act_time_part)i),
                      act_time_part_name((enum act_time_part)i));
    }
    act_buffer_puts(out, "</ul>\n");
}
