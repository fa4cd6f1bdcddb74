#include "io/refused.h"

#include "core/letters.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char vision[] = "vision towers are not planned here: only the text model is, and its "
                             "figures would leave images out";
static const char mamba[] =
    "Mamba and other state-space layers are not planned here: attention figures would be wrong";
static const char blocks[] = "layers that differ block by block are not planned here; give "
                             "model.layers of one shape, or dense_layers and moe_every";

/* Beginnings of words in names as their makers write them, in whatever letter case. */
static const struct {
    const char *part, *why;
} refused[] = {
    {"vision", vision},        {"vl", vision},          {"llava", vision},
    {"internvl", vision},      {"pixtral", vision},     {"mamba", mamba},
    {"jamba", mamba},          {"zamba", mamba},        {"nemotron-h", mamba},
    {"block_configs", blocks}, {"layer_types", blocks},
};

const char *act_refused(const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        bool start = at == name || !act_is_letter(at[-1]);
        for (size_t i = 0; start && i < sizeof refused / sizeof *refused; i++)
            if (act_begins_letters(at, refused[i].part, strlen(refused[i].part)))
                return refused[i].why;
    }
    return NULL;
}
