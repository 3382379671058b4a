/* The names of a text, as UTF-8 where the text says what its characters are. */
#ifndef FH_TRA_NAME_H
#define FH_TRA_NAME_H

#include "tra/tra_model.h"

typedef struct tra_name_text {
    char bytes[TRA_MOST_NAME + 1]; /* a 0 follows the name */
    size_t len;
} tra_name_text;

/* tra_name_read makes UTF-8 of a name in UTF-16 and copies the bytes of any other. false if it is
 * no sound UTF-16, or longer than a name may be. */
bool tra_name_read(tra_name_text *out, const fh_scan *scan, const fh_token *token);

#endif
