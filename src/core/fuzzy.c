#include "core/fuzzy.h"
#include "core/letters.h"

#include <stdbool.h>
#include <string.h>

/* Points, in the proportions that fuzzy finders have settled on. */
enum {
    MATCH = 16,
    GAP_BEGINS = 3,
    GAP_GOES_ON = 1,
    TOGETHER = 6, /* beside the letter before */
    WORD = 8,     /* first letter of a word */
    BEGINNING = 10,
    WHOLE = 40, /* nothing of the text is left over */
    NOWHERE = -1000000
};

static bool separates(char c)
{
    return c == ' ' || c == '_' || c == '-' || c == '.' || c == '/';
}

static int place_bonus(const char *text, int at)
{
    return at == 0 ? BEGINNING : separates(text[at - 1]) && !separates(text[at]) ? WORD : 0;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* Best score of one word of the pattern; NOWHERE when it does not fit. */
static int word_score(const char *word, int length, const char *text, int size)
{
    int rows[2][ACT_FUZZY_TEXT_MAX];
    for (int i = 0; i < length; i++) {
        int *now = rows[i % 2], *before = rows[(i + 1) % 2];
        int gap = NOWHERE; /* best of the row before, less the letters passed over since */
        for (int j = 0; j < size; j++) {
            bool same = act_lower(word[i]) == act_lower(text[j]) ||
                        (separates(word[i]) && separates(text[j]));
            int from = i == 0 ? 0 : gap;
            if (i > 0 && j > 0 && before[j - 1] > NOWHERE)
                from = most(from, before[j - 1] + TOGETHER);
            int bonus = place_bonus(text, j);
            now[j] = same && from > NOWHERE ? from + MATCH + (i == 0 ? 2 * bonus : bonus) : NOWHERE;
            if (gap > NOWHERE)
                gap -= GAP_GOES_ON;
            if (i > 0 && j > 0 && before[j - 1] > NOWHERE)
                gap = most(gap, before[j - 1] - GAP_BEGINS);
        }
    }
    int best = NOWHERE;
    for (int j = 0; j < size; j++)
        best = most(best, rows[(length - 1) % 2][j]);
    if (best > NOWHERE && length == size)
        best += WHOLE;
    return best > NOWHERE ? most(best, 1) : NOWHERE;
}

int act_fuzzy_score(const char *pattern, const char *text)
{
    int size = (int)strnlen(text, ACT_FUZZY_TEXT_MAX);
    int left = (int)strnlen(pattern, ACT_FUZZY_PATTERN_MAX);
    int score = 1;
    while (left > 0) {
        int blanks = 0, length = 0;
        while (blanks < left && pattern[blanks] == ' ')
            blanks++;
        pattern += blanks;
        left -= blanks;
        while (length < left && pattern[length] != ' ')
            length++;
        if (length == 0)
            break;
        int word = word_score(pattern, length, text, size);
        if (word == NOWHERE)
            return 0;
        score += word;
        pattern += length;
        left -= length;
    }
    return score;
}
