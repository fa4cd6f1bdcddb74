/* Whether a file holds comments. The parser drops them, so what looks like one in the text is
 * counted against what of it stands in values. */
#include "io/buffer.h"
#include "io/file.h"
#include "io/scenario.h"
#include "io/yaml.h"
#include <yaml.h>

/* '#' after a blank, or at the start of a line. */
static int count_marks(const char *text, size_t size, char before)
{
    int count = 0;
    for (size_t i = 0; i < size; i++) {
        bool gap = before == '\n' || before == ' ' || before == '\t' || before == '\r';
        count += text[i] == '#' && gap;
        before = text[i];
    }
    return count;
}

static int count_in_values(const struct act_buffer *text)
{
    yaml_parser_t parser;
    yaml_event_t event;
    int count = 0;
    bool done = false;
    if (!yaml_parser_initialize(&parser))
        return 0;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text->text, text->size);
    for (int i = 0; i < ACT_YAML_EVENTS_MAX && !done; i++) {
        if (!yaml_parser_parse(&parser, &event))
            break;
        if (event.type == YAML_SCALAR_EVENT) {
            /* A block of text begins on a line of its own, all else behind its quote. */
            bool block = event.data.scalar.style == YAML_LITERAL_SCALAR_STYLE ||
                         event.data.scalar.style == YAML_FOLDED_SCALAR_STYLE;
            count += count_marks((const char *)event.data.scalar.value, event.data.scalar.length,
                                 block ? '\n' : 'x');
        }
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return count;
}

bool act_scenario_has_comments(const char *path)
{
    struct act_buffer text;
    char why[200];
    bool found = false;
    act_buffer_init(&text, ACT_YAML_SIZE_MAX);
    if (act_file_read(path, &text, NULL, why, sizeof why) == 0 && text.size > 0)
        found = count_marks(text.text, text.size, '\n') > count_in_values(&text);
    act_buffer_free(&text);
    return found;
}
