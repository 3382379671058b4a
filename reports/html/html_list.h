/* Lists of JSON that are told side by side, each in any order, and stand one behind the other. */
#ifndef FH_REPORTS_HTML_LIST_H
#define FH_REPORTS_HTML_LIST_H

#include "reports/out.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fh_html_list {
    fh_out out;      /* into memory */
    uint64_t num;    /* elements */
    bool is_dropped; /* set by who has no use for it after all: an empty list is written */
    char *text;      /* owned; private */
    size_t len;
} fh_html_list;

/* fh_html_list_begin makes an empty list, which must then stay where it is; false if there is too
 * little memory. In all cases end it. */
bool fh_html_list_begin(fh_html_list *list) FH_MUST_USE;

/* fh_html_list_next begins the next element, and counts it. */
void fh_html_list_next(fh_html_list *list);

/* fh_html_list_end writes the list as a member of an object, and frees it; false if there was too
 * little memory for all of it. */
bool fh_html_list_end(fh_html_list *list, fh_out *out, const char *name) FH_MUST_USE;

#endif
