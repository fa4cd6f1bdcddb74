/* No guard: ends what one of terms_members.h, terms_statements.h, terms_rows.h began. */
#undef PLACE_OF
#undef fmax
#undef fmin
#undef INPUT
#undef FROM
#undef TERM
#undef WHEN
#undef CONTENT
