#include "cli/wrap.h"

#include <actuary/units.h>

#include <string.h>

enum { WIDTH = 80 };

void act_wrap(struct act_buffer *out, int margin, const char *text)
{
    int column = margin;

    while (*text != '\0') {
        int length = (int)act_word_length(text);
        if (column > margin && column + 1 + length > WIDTH) {
            act_buffer_printf(out, "\n%*s", margin, "");
            column = margin;
        } else if (column > margin) {
            act_buffer_puts(out, " ");
            column++;
        }
        act_buffer_printf(out, "%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    act_buffer_puts(out, "\n");
}
