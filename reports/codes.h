/* Lists of the codes of rules as fields have them: with blanks between (core/describe.h). They are
 * read where they stand; nothing in a code would have to be escaped. Owns nothing. */
#ifndef FH_REPORTS_CODES_H
#define FH_REPORTS_CODES_H

#include <stdbool.h>
#include <stddef.h>

/* A code in a list, which goes on behind it. */
typedef struct fh_code {
    const char *text;
    size_t len;
} fh_code;

/* fh_codes_next takes the first code off a list, which then begins with the next one; false: there
 * is none. A list that is NULL is empty. */
bool fh_codes_next(const char **codes, fh_code *code);

#endif
