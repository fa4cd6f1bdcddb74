#include "core/distance.h"

/* Capitals, blanks and underscores are not what tells names apart. */
static char fold(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '_' || c == ' ' ? '-' : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int act_distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    int row[3][ACT_DISTANCE_MAX + 1];
    for (size_t j = 0; j <= b_size; j++)
        row[0][j] = (int)j;
    for (size_t i = 1; i <= a_size; i++) {
        int *now = row[i % 3];
        const int *last = row[(i + 2) % 3];
        const int *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= b_size; j++) {
            char x = fold(a[i - 1]), y = fold(b[j - 1]);
            now[j] = least(least(last[j] + 1, now[j - 1] + 1), last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == fold(b[j - 2]) && y == fold(a[i - 2]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[a_size % 3][b_size];
}
