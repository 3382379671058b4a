#include "reports/wrap.h"

#include "reports/escape.h"

#include <string.h>

enum { LINE_WIDTH = 78, PART_LEN = 256 };

/* A word may be anything where a rule comes from a database. */
static void put_word(fh_out *out, const char *word, size_t len)
{
    char part[PART_LEN];
    while (len > 0) {
        const size_t num = len < sizeof part ? len : sizeof part - 1;
        memcpy(part, word, num);
        part[num] = '\0';
        fh_escape_text(out, part);
        word += num;
        len -= num;
    }
}

void fh_wrap(fh_out *out, const char *first, const char *str)
{
    const size_t indent = strlen(first);
    size_t column = 0;
    for (str += strspn(str, " \n"); *str != '\0'; str += strspn(str, " \n")) {
        const size_t len = strcspn(str, " \n");
        if (column == 0) {
            fh_out_str(out, first);
            column = indent;
        } else if (column + 1 + len > LINE_WIDTH) {
            fh_out_fmt(out, "\n%*s", (int)indent, "");
            column = indent;
        } else {
            fh_out_str(out, " ");
            column++;
        }
        put_word(out, str, len);
        column += len;
        str += len;
    }
    fh_out_str(out, "\n");
}
