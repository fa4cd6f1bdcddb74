/* No guard: the rows that follow are statements that fill in the struct that `to` points at. */
#define fmax act_larger
#define fmin act_smaller
#define INPUT(symbol, unit, meaning)                                                               \
    const double symbol = to->symbol;                                                              \
    (void)symbol;
#define FROM(symbol, unit, meaning, sheet, term) INPUT(symbol, unit, meaning)
#define TERM(symbol, unit, meaning, formula, source)                                               \
    double symbol = (formula);                                                                     \
    to->symbol = symbol;
#define WHEN(symbol, switch, formula, source)                                                      \
    if ((switch) > 0)                                                                              \
        to->symbol = symbol = (formula);
#define CONTENT(phase, component, symbol)
