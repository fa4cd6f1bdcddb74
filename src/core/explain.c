/* A term in words: its formula without what does not apply, the numbers put in, and what its
 * symbols are. */
#include <actuary/explain.h>

#include "core/expression.h"
#include "core/terms.h"

#include <actuary/units.h>

#include <string.h>

static const struct act_term_row *row_of(const struct act_sheets *sheets, struct act_term term)
{
    return &sheets->table[term.sheet]->row[term.row];
}

/* Where a term is worked out: what comes from another sheet stands for the term there. */
static struct act_term origin_of(const struct act_sheets *sheets, struct act_term term)
{
    const struct act_term_row *row = row_of(sheets, term);
    struct act_term ret;

    if (row->kind == ACT_ROW_FROM &&
        act_sheets_find(sheets, (enum act_sheet)row->sheet, row->other, &ret))
        return ret;
    return term;
}

/* The symbols of one sheet, for reading a formula of it. */
struct scope {
    const struct act_sheets *sheets;
    enum act_sheet sheet;
    enum act_notation notation;
};

static int look_up(const void *context, const char *name, int length, double *ret_value)
{
    const struct scope *scope = context;
    const struct act_term_table *table = scope->sheets->table[scope->sheet];

    for (int i = 0; i < table->count; i++) {
        const struct act_term_row *row = &table->row[i];
        if (row->kind <= ACT_ROW_TERM && strlen(row->symbol) == (size_t)length &&
            memcmp(row->symbol, name, (size_t)length) == 0) {
            *ret_value = scope->sheets->value[scope->sheet][row->place];
            return i;
        }
    }
    return -1;
}

static bool may_be_left_out(const void *context, int symbol)
{
    const struct scope *scope = context;
    enum act_term_unit unit = scope->sheets->table[scope->sheet]->row[symbol].unit;

    return unit == ACT_TERM_SWITCH || unit == ACT_TERM_FACTOR;
}

static void write_symbol(const void *context, int symbol, struct act_writer *writer)
{
    const struct scope *scope = context;

    act_writer_put(writer, scope->sheets->table[scope->sheet]->row[symbol].symbol);
}

static void write_value(const void *context, int symbol, struct act_writer *writer)
{
    const struct scope *scope = context;
    const struct act_term_row *row = &scope->sheets->table[scope->sheet]->row[symbol];
    double value = scope->sheets->value[scope->sheet][row->place];
    char text[64];

    if (scope->notation == ACT_NOTATION_EXACT)
        act_quantity_format(value, ACT_UNIT_NONE, ACT_STYLE_FILE, text, sizeof text);
    else
        act_term_format_in(scope->sheets->decimal_sizes, value, row->unit, text, sizeof text);
    act_writer_put(writer, text);
}

/* The row whose formula holds: the last whose switch is on, else the term's own. */
static const struct act_term_row *formula_of(const struct act_sheets *sheets, struct act_term term)
{
    const struct act_term_table *table = sheets->table[term.sheet];
    const struct act_term_row *ret = &table->row[term.row];
    struct act_term on;

    for (int i = term.row + 1; i < table->count; i++) {
        const struct act_term_row *row = &table->row[i];
        if (row->kind == ACT_ROW_WHEN && row->place == table->row[term.row].place &&
            act_sheets_find(sheets, term.sheet, row->other, &on) && act_term_value(sheets, on) > 0)
            ret = row;
    }
    return ret;
}

static void add_uses(const struct act_sheets *sheets, enum act_sheet sheet,
                     const struct act_written *written, struct act_explanation *ret)
{
    for (int i = 0; i < written->count && ret->uses < ACT_USES_MAX; i++) {
        const struct act_term_row *row = &sheets->table[sheet]->row[written->symbol[i]];
        ret->use[ret->uses++] = (struct act_use){
            .symbol = row->symbol,
            .meaning = row->meaning,
            .unit = row->unit,
            .value = sheets->value[sheet][row->place],
            .term = origin_of(sheets, (struct act_term){sheet, written->symbol[i]})};
    }
}

/* A formula that comes down to one symbol says nothing: the symbol's own is meant. */
static bool see_through(const struct act_sheets *sheets, const struct act_expression *expression,
                        const struct act_hand *hand, struct act_term *term)
{
    int symbol = act_expression_symbol(expression, hand);
    struct act_term origin;

    if (symbol < 0)
        return false;
    origin = origin_of(sheets, (struct act_term){term->sheet, symbol});
    if (row_of(sheets, origin)->kind != ACT_ROW_TERM)
        return false;
    *term = origin;
    return true;
}

void act_explain(const struct act_sheets *sheets, struct act_term term, enum act_notation notation,
                 struct act_explanation *ret)
{
    struct scope scope = {sheets, ACT_SHEET_STAGE, notation};
    struct act_hand hand = {
        .context = &scope,
        .symbol = write_symbol,
        .optional = may_be_left_out,
        .times = notation == ACT_NOTATION_UTF8 ? "·" : " * ",
        .over = notation == ACT_NOTATION_UTF8 ? "/" : " / ",
        .minus = notation == ACT_NOTATION_UTF8 ? " − " : " - ",
        .exact = notation == ACT_NOTATION_EXACT,
    };
    const struct act_term_row *formula;
    struct act_expression expression;
    struct act_writer writer;
    struct act_written written;

    memset(ret, 0, sizeof *ret);
    term = origin_of(sheets, term);
    ret->symbol = row_of(sheets, term)->symbol;
    ret->meaning = row_of(sheets, term)->meaning;
    ret->unit = row_of(sheets, term)->unit;
    ret->value = act_term_value(sheets, term);
    if (term.sheet == ACT_SHEET_STAGE && strcmp(ret->symbol, "device") == 0)
        ret->error = sheets->error_device;
    if (term.sheet == ACT_SHEET_STAGE && strcmp(ret->symbol, "allocated") == 0)
        ret->error = sheets->error_allocated;
    ret->source = "";
    do {
        scope.sheet = term.sheet;
        formula = formula_of(sheets, term);
        ret->given = formula->formula == NULL ||
                     !act_expression_read(formula->formula, look_up, &scope, &expression);
        if (ret->given)
            return;
    } while (see_through(sheets, &expression, &hand, &term));
    ret->source = formula->source;
    act_writer_init(&writer, ret->formula, sizeof ret->formula);
    act_expression_write(&expression, &hand, &writer, &written);
    hand.symbol = write_value;
    if (notation == ACT_NOTATION_UTF8) {
        hand.times = " × ";
        hand.over = " / ";
    }
    act_writer_init(&writer, ret->numbers, sizeof ret->numbers);
    act_expression_write(&expression, &hand, &writer, &written);
    add_uses(sheets, term.sheet, &written, ret);
}
