/* No guard: the rows that follow are members of a struct, one double each. */
#define INPUT(symbol, unit, meaning)                 double symbol;
#define FROM(symbol, unit, meaning, sheet, term)     double symbol;
#define TERM(symbol, unit, meaning, formula, source) double symbol;
#define WHEN(symbol, switch, formula, source)
#define CONTENT(phase, component, symbol)
