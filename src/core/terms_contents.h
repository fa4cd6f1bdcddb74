/* No guard: of the rows that follow only what goes into which phase counts: `ret` is the stage,
 * `from` the struct. */
#define INPUT(symbol, unit, meaning)
#define FROM(symbol, unit, meaning, sheet, term)
#define TERM(symbol, unit, meaning, formula, source)
#define WHEN(symbol, switch, formula, source)
#define CONTENT(phase, component, symbol)                                                          \
    ret->contents[ACT_PHASE_##phase][ACT_##component] = from->symbol;
