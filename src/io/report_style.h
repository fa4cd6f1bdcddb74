/* The style sheet of HTML reports: one palette for light and dark, phones and paper. */
#ifndef ACTUARY_IO_REPORT_STYLE_H
#define ACTUARY_IO_REPORT_STYLE_H

/* A text that stands between <style> tags as it is: it has none of < > &. */
extern const char act_report_style[];

#endif
