#include "ui/page.h"

#include <stdio.h>
#include <string.h>

void act_page_line(struct act_page *page, int column, enum act_look look, const char *text)
{
    int row = page->row - page->scroll;
    if (row >= 0 && row < page->rect.rows)
        act_draw_cut(page->canvas, page->rect, row, column, page->rect.columns - column, look,
                     text);
}

void act_page_paragraph(struct act_page *page, int column, enum act_look look, const char *text)
{
    int width = page->rect.columns - column;
    if (width < 8)
        width = 8;
    while (*text != '\0') {
        char part[512];
        size_t fits = 0, at = 0;
        while (text[at] != '\0' && at < sizeof part - 1) {
            size_t end = at + strcspn(text + at, " ");
            if (end == at)
                end++;
            if (end >= sizeof part)
                break;
            snprintf(part, sizeof part, "%.*s", (int)end, text);
            if (act_text_columns(page->canvas, part) > width && fits > 0)
                break;
            fits = end;
            at = end;
            while (text[at] == ' ')
                at++;
        }
        if (fits == 0)
            fits = strlen(text) < sizeof part - 1 ? strlen(text) : sizeof part - 1;
        snprintf(part, sizeof part, "%.*s", (int)fits, text);
        act_page_line(page, column, look, part);
        page->row++;
        text += fits;
        while (*text == ' ')
            text++;
    }
}
