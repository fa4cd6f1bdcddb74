#include "cli/text_memory.h"

#include "cli/text_parts.h"

#include <actuary/units.h>

#include <stdio.h>
#include <string.h>

enum { CELL = 5, ROW = 96 };

/* GiB or GB in at most five columns: 70.7, 12345, and thousands of them as 17k. */
static void put_size(double bytes, double unit, char *out, size_t size)
{
    double shown = bytes / unit;

    if (act_number_format(shown, 1, false, out, size) > CELL &&
        act_number_format(shown, 0, false, out, size) > CELL) {
        size_t length = act_number_format(shown / 1000, 0, false, out, size);
        snprintf(out + length, size - length, "k");
    }
}

/* A stage without its number and mark; the phase of its peak is cut to four letters. */
static void write_row(const struct act_stage *stage, double unit, char row[ROW])
{
    char cell[32];
    int length = snprintf(row, ROW, "%6lld", (long long)stage->layers);

    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        put_size(stage->component[i], unit, cell, sizeof cell);
        length += snprintf(row + length, ROW - (size_t)length, " %*s", CELL, cell);
    }
    put_size(stage->device, unit, cell, sizeof cell);
    snprintf(row + length, ROW - (size_t)length, " %*s %.4s", CELL + 1, cell,
             act_phase_name(stage->phase));
}

void act_text_memory(const struct act_plan *plan, const struct act_memory *memory,
                     struct act_buffer *out)
{
    const double unit = size_unit(plan);
    char text[3][32];
    const struct act_stage *worst = &memory->stage[memory->worst];
    int percent = (int)(memory->error * 100 + 0.5);
    int allocated = (int)(memory->error_allocated * 100 + 0.5);

    act_buffer_puts(out, size_name(plan));
    act_buffer_puts(out, " a GPU: Weights Gradients Optimizer Activations Head Transients "
                         "Buffers\n"
                         "           Fragmentation Context\n"
                         "stage   layers     W     G     O     A     H     T     B     F     C "
                         "DEVICE peak\n");
    for (int i = 0; i < memory->stages;) {
        char row[ROW], other[ROW], name[24];
        int last = i;
        bool is_worst = i == memory->worst;
        write_row(&memory->stage[i], unit, row);
        for (; last + 1 < memory->stages; last++) {
            write_row(&memory->stage[last + 1], unit, other);
            if (strcmp(row, other) != 0) {
                break;
            }
            is_worst = is_worst || last + 1 == memory->worst;
        }
        if (last > i) {
            snprintf(name, sizeof name, "%d-%d", i, last);
        } else {
            snprintf(name, sizeof name, "%d", i);
        }
        act_buffer_printf(out, "%c%-7s%s\n", is_worst ? '>' : ' ', name, row);
        i = last + 1;
    }
    for (int i = 0; i < 3; i++) {
        double bytes[] = {worst->allocated, worst->reserved, worst->device};
        act_number_format(bytes[i] / unit, 1, true, text[i], sizeof text[i]);
    }
    act_buffer_printf(out, "stage %d, %s: allocated %s", memory->worst,
                      act_phase_name(worst->phase), text[0]);
    if (allocated > 0) {
        act_buffer_printf(out, " +-%d %%", allocated);
    }
    act_buffer_printf(out, ", reserved %s, device %s", text[1], text[2]);
    if (percent > 0) {
        act_buffer_printf(out, " +-%d %%", percent);
    }
    act_buffer_printf(out, " %s\n", size_name(plan));
    if (memory->host > 0) {
        act_number_format(memory->host / unit, 1, true, text[0], sizeof text[0]);
        act_buffer_printf(out, "host memory: %s %s a server\n", text[0], size_name(plan));
    }
}
