#include "io/problem.h"

#include "core/utf8.h"
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void act_printable(const char *text, size_t length, char *out, size_t size)
{
    static const char dots[] = "...";
    if (size == 0)
        return;
    size_t used = 0;
    size_t cut = 0; /* where "..." goes should the text not fit */
    for (size_t i = 0; i < length;) {
        uint32_t code;
        size_t step = act_utf8_decode(text + i, length - i, &code);
        bool plain = step > 0 && act_utf8_printable(code);
        size_t take = plain ? step : 1;
        if (used + take >= size) {
            if (size > sizeof dots) {
                memcpy(out + cut, dots, sizeof dots);
                return;
            }
            break;
        }
        if (plain)
            memcpy(out + used, text + i, take);
        else
            out[used] = '?';
        used += take;
        if (used + sizeof dots <= size)
            cut = used;
        i += step > 0 ? step : 1;
    }
    out[used] = '\0';
}

void act_problems_init(struct act_problems *problems, const char *file)
{
    problems->count = 0;
    problems->more = false;
    act_printable(file, strlen(file), problems->file, sizeof problems->file);
}

void act_problems_add(struct act_problems *problems, int line, int column, const char *key,
                      const char *format, ...)
{
    if (problems->count >= ACT_PROBLEMS_MAX) {
        problems->more = true;
        return;
    }
    struct act_problem *problem = &problems->problem[problems->count++];
    problem->line = line;
    problem->column = column;
    act_printable(key, strlen(key), problem->key, sizeof problem->key);
    char text[1024] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    act_printable(text, strlen(text), problem->text, sizeof problem->text);
}

size_t act_problem_text(const struct act_problems *problems, int index, char *out, size_t size)
{
    const struct act_problem *problem = &problems->problem[index];
    char place[32] = "";
    if (problem->line > 0)
        snprintf(place, sizeof place, "%d:%d", problem->line, problem->column);
    const char *parts[] = {problems->file, place, problem->key, problem->text};
    size_t total = 0;
    if (size > 0)
        out[0] = '\0';
    for (int i = 0; i < 4; i++) {
        if (parts[i][0] == '\0')
            continue;
        /* file:line:column: key: text */
        const char *join = total == 0 ? "" : i == 1 && problems->file[0] ? ":" : ": ";
        bool room = total < size;
        int length =
            snprintf(room ? out + total : NULL, room ? size - total : 0, "%s%s", join, parts[i]);
        if (length > 0)
            total += (size_t)length;
    }
    return total;
}

const char *act_errno_text(int error)
{
    switch (error) {
    case ENOENT:
        return "no such file or folder";
    case EACCES:
    case EPERM:
        return "permission denied";
    case ENOTDIR:
        return "a part of the path is not a folder";
    case EISDIR:
        return "is a folder";
    case ELOOP:
        return "too many symbolic links, or a link to itself";
    case ENAMETOOLONG:
        return "the name is too long";
    case ENOSPC:
        return "no space left on the device";
    case EDQUOT:
        return "disk quota exceeded";
    case EROFS:
        return "read-only file system";
    case EFBIG:
        return "larger than the file system or limit allows";
    case EIO:
        return "input/output error";
    case EMFILE:
    case ENFILE:
        return "too many open files";
    case ENOMEM:
        return "out of memory";
    case ENXIO:
    case ENODEV:
        return "is a socket or a device without a driver";
    case ETXTBSY:
        return "is in use as a program";
    case EBUSY:
        return "is in use";
    case EXDEV:
        return "crosses file systems";
    case EPIPE:
        return "the reader has gone";
    default:
        return "system error";
    }
}
