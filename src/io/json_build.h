/* Values of JSON results. jansson's setters refuse NULL, so a lack of memory shows in `failed`. */
#ifndef ACTUARY_IO_JSON_BUILD_H
#define ACTUARY_IO_JSON_BUILD_H

#include <jansson.h>
#include <stdbool.h>

struct act_json_builder {
    bool failed;
};

json_t *act_json_keep(struct act_json_builder *builder, json_t *value);
void act_json_set(struct act_json_builder *builder, json_t *object, const char *key, json_t *value);
void act_json_append(struct act_json_builder *builder, json_t *array, json_t *value);
/* A number that is not finite is left out. */
void act_json_set_real(struct act_json_builder *builder, json_t *object, const char *key,
                       double value);
/* Rounded; beyond 64 bits a real. */
void act_json_set_integer(struct act_json_builder *builder, json_t *object, const char *key,
                          double value);
/* Bytes that are no UTF-8 become '?'. */
void act_json_set_text(struct act_json_builder *builder, json_t *object, const char *key,
                       const char *text);

#endif
