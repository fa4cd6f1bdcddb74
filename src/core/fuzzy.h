/* How well a few typed letters fit a name: as a subsequence, the way fuzzy finders do. */
#ifndef ACTUARY_CORE_FUZZY_H
#define ACTUARY_CORE_FUZZY_H

enum { ACT_FUZZY_PATTERN_MAX = 64, ACT_FUZZY_TEXT_MAX = 256 };

/* 0: some letter of the pattern has no place. Else more is better: letters that stand together,
 * that begin the text or a word of it, and a text with little else. The pattern's words may stand
 * in any order. Letter case does not matter; blanks, '_', '-', '.' and '/' separate words. An
 * empty pattern fits everything with 1. What exceeds the limits is not looked at. */
int act_fuzzy_score(const char *pattern, const char *text);

#endif
