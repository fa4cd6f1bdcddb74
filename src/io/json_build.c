#include "io/json_build.h"

#include "io/problem.h"

#include <math.h>
#include <string.h>

json_t *act_json_keep(struct act_json_builder *builder, json_t *value)
{
    if (!value)
        builder->failed = true;
    return value;
}

void act_json_set(struct act_json_builder *builder, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) < 0)
        builder->failed = true;
}

void act_json_append(struct act_json_builder *builder, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) < 0)
        builder->failed = true;
}

void act_json_set_real(struct act_json_builder *builder, json_t *object, const char *key,
                       double value)
{
    /* What is not finite has no number in JSON, and does not apply. */
    if (isfinite(value))
        act_json_set(builder, object, key, json_real(value));
}

void act_json_set_integer(struct act_json_builder *builder, json_t *object, const char *key,
                          double value)
{
    if (fabs(value) < 9e18)
        act_json_set(builder, object, key, json_integer((json_int_t)llround(value)));
    else
        act_json_set_real(builder, object, key, value);
}

static json_t *text_value(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char clean[1024]; /* not UTF-8 */
    act_printable(text, strlen(text), clean, sizeof clean);
    return json_string(clean);
}

void act_json_set_text(struct act_json_builder *builder, json_t *object, const char *key,
                       const char *text)
{
    act_json_set(builder, object, key, text_value(text));
}
