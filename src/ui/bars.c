#include "ui/bars.h"
#include <math.h>
#include <string.h>

/* The bar letters in the order they stand, and what they are called in the legend. */
static const struct {
    char letter;
    const char *word[ACT_LEGEND_FORMS];
} letters[] = {
    {'W', {"weights", "weights", "wts"}},  {'G', {"grads", "grads", "grd"}},
    {'O', {"optimizer", "optim.", "opt"}}, {'A', {"activations", "activ.", "act"}},
    {'H', {"head", "head", "head"}},       {'B', {"buffers", "buf.", "buf"}},
    {'F', {"slack", "slack", "slk"}},      {'C', {"context", "context", "ctx"}},
};

enum { LETTERS = sizeof letters / sizeof letters[0] };

static int letter_index(char letter)
{
    for (int i = 0; i < LETTERS; i++) {
        if (letters[i].letter == letter)
            return i;
    }
    return LETTERS - 1;
}

void act_bar_of_stage(const struct act_stage *stage, struct act_bar *ret)
{
    *ret = (struct act_bar){.count = LETTERS};
    for (int i = 0; i < LETTERS; i++) {
        ret->segment[i].letter = letters[i].letter;
        ret->segment[i].look = (enum act_look)(ACT_LOOK_BAR + i);
    }
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        int at = letter_index(act_component_letter((enum act_component)i));
        ret->segment[at].amount += stage->component[i];
    }
}

bool act_bar_legend(int index, int form, char *ret_letter, enum act_look *ret_look,
                    const char **ret_word)
{
    if (index < 0 || index >= LETTERS)
        return false;
    *ret_letter = letters[index].letter;
    *ret_look = (enum act_look)(ACT_LOOK_BAR + index);
    *ret_word = letters[index].word[form];
    return true;
}

double act_bar_full(double capacity, double peak)
{
    double full = capacity / 0.8;
    if (peak > full)
        full = fmin(peak, 4 * capacity);
    return full > 0 ? full : 1;
}

int act_bar_column(double amount, double full, int width)
{
    if (!(full > 0) || !(amount > 0))
        return 0;
    double column = amount / full * width;
    return column >= width ? width : (int)lround(column);
}

void act_bar_draw(struct act_canvas *canvas, struct act_rect rect, int row, int column, int width,
                  const struct act_bar *bar)
{
    int line = bar->capacity > 0 ? act_bar_column(bar->capacity, bar->full, width - 1) : width;
    bool coloured = act_theme_coloured();
    double sum = 0;
    int at = 0;
    struct act_rect cell = {rect.row + row, 0, 1, 1};
    for (int i = 0; i < bar->count; i++) {
        const struct act_segment *segment = &bar->segment[i];
        sum += segment->amount;
        int end = act_bar_column(sum, bar->full, width);
        for (int from = at; from < end; from++) {
            bool over = from >= line;
            uint32_t sign = from == at && segment->letter != ' ' ? (uint32_t)segment->letter
                            : over                               ? '!'
                            : coloured                           ? ' '
                                                                 : (uint32_t)segment->letter;
            cell.column = rect.column + column + from;
            act_draw_fill(canvas, act_rect_clip(rect, cell), sign,
                          over ? ACT_LOOK_OVERFLOW : segment->look);
        }
        at = end > at ? end : at;
    }
    for (int from = at; from < line; from++) {
        cell.column = rect.column + column + from;
        act_draw_fill(canvas, act_rect_clip(rect, cell), canvas->ascii ? '.' : 0xb7, ACT_LOOK_RULE);
    }
    if (line < width && line >= at) {
        cell.column = rect.column + column + line;
        act_draw_fill(canvas, act_rect_clip(rect, cell), canvas->ascii ? '|' : 0x2502,
                      ACT_LOOK_WARN);
    }
}
