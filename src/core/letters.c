#include "core/letters.h"

#include <string.h>

char act_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool act_is_letter(char c)
{
    char low = act_lower(c);
    return low >= 'a' && low <= 'z';
}

bool act_begins_letters(const char *text, const char *part, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0' || act_lower(text[i]) != act_lower(part[i]))
            return false;
    return true;
}

bool act_contains_letters(const char *text, const char *part, size_t length)
{
    for (; *text != '\0'; text++)
        if (act_begins_letters(text, part, length))
            return true;
    return length == 0;
}

bool act_same_letters(const char *a, const char *b)
{
    size_t length = strlen(b);
    return act_begins_letters(a, b, length) && a[length] == '\0';
}
