/* No guard: the rows that follow are a table of struct act_term_row; TERMS_STRUCT is the struct
 * that holds their values. */
#define PLACE_OF(name) ((int)(offsetof(TERMS_STRUCT, name) / sizeof(double)))
#define INPUT(name, of_unit, what)                                                                 \
    {.kind = ACT_ROW_INPUT,                                                                        \
     .symbol = #name,                                                                              \
     .unit = ACT_TERM_##of_unit,                                                                   \
     .meaning = (what),                                                                            \
     .place = PLACE_OF(name)},
#define FROM(name, of_unit, what, from, term)                                                      \
    {.kind = ACT_ROW_FROM,                                                                         \
     .symbol = #name,                                                                              \
     .unit = ACT_TERM_##of_unit,                                                                   \
     .meaning = (what),                                                                            \
     .other = #term,                                                                               \
     .place = PLACE_OF(name),                                                                      \
     .sheet = ACT_SHEET_##from},
#define TERM(name, of_unit, what, expression, where)                                               \
    {.kind = ACT_ROW_TERM,                                                                         \
     .symbol = #name,                                                                              \
     .unit = ACT_TERM_##of_unit,                                                                   \
     .meaning = (what),                                                                            \
     .formula = #expression,                                                                       \
     .source = (where),                                                                            \
     .place = PLACE_OF(name)},
#define WHEN(name, on, expression, where)                                                          \
    {.kind = ACT_ROW_WHEN,                                                                         \
     .symbol = #name,                                                                              \
     .formula = #expression,                                                                       \
     .source = (where),                                                                            \
     .other = #on,                                                                                 \
     .place = PLACE_OF(name)},
#define CONTENT(of_phase, of_component, name)                                                      \
    {.kind = ACT_ROW_CONTENT,                                                                      \
     .symbol = #name,                                                                              \
     .place = PLACE_OF(name),                                                                      \
     .phase = ACT_PHASE_##of_phase,                                                                \
     .component = ACT_##of_component},
