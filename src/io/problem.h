/* What is wrong with a file: up to 20 problems with place and cure. */
#ifndef ACTUARY_IO_PROBLEM_H
#define ACTUARY_IO_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

enum { ACT_PROBLEMS_MAX = 20 };

struct act_problem {
    int line, column; /* 1-based; 0: not about a place */
    char key[128];    /* "parallel.tensor"; "" when none */
    char text[320];   /* what is wrong; what would be right. Printable: never a raw control byte */
};

struct act_problems {
    char file[256]; /* as the user named it, made printable */
    int count;
    bool more; /* there were more than fit */
    struct act_problem problem[ACT_PROBLEMS_MAX];
};

void act_problems_init(struct act_problems *problems, const char *file);
/* Adds one; counts on beyond the limit with `more`. */
void act_problems_add(struct act_problems *problems, int line, int column, const char *key,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
/* "file:line:column: key: text" of one problem, without a newline (parts that are missing are
 * left out). Returns the whole length as snprintf does. */
size_t act_problem_text(const struct act_problems *problems, int index, char *out, size_t size);
/* Copies text with control bytes, DEL, and invalid UTF-8 replaced by '?', and cut with "…" or
 * "..." when longer than the room. */
void act_printable(const char *text, size_t length, char *out, size_t size);
/* What a system error means, in words that do not follow the locale. */
const char *act_errno_text(int error);

#endif
