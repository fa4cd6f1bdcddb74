#include "io/json_field.h"

#include <math.h>

json_t *act_json_field_number(enum act_field_id id, double value)
{
    const struct act_field *field = act_field(id);
    if ((field->flags & ACT_FIELD_AUTO) && value < 0)
        return json_string("auto");
    if (field->kind == ACT_KIND_ENUM && field->names)
        return json_string(field->names[(int)value]);
    if (field->kind == ACT_KIND_BOOL)
        return json_boolean(value > 0);
    if (field->kind == ACT_KIND_REAL)
        return json_real(value);
    return json_integer((json_int_t)llround(value));
}

void act_json_set_field(struct act_json_builder *builder, json_t *object, const char *key,
                        const struct act_plan *plan, enum act_field_id id)
{
    const struct act_field *field = act_field(id);
    char text[ACT_LIST_MAX * 8];

    switch (field->kind) {
    case ACT_KIND_TEXT:
        act_json_set_text(builder, object, key, act_field_string(plan, id));
        break;
    case ACT_KIND_LIST:
    case ACT_KIND_SET: /* as in a scenario file */
        act_field_text(plan, id, ACT_STYLE_FILE, text, sizeof text);
        act_json_set_text(builder, object, key, text);
        break;
    default:
        act_json_set(builder, object, key, act_json_field_number(id, act_field_number(plan, id)));
        break;
    }
}
