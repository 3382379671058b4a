/* The text scanner: the tokens of a text format, with the place of each.
 *
 * A text is a range of bytes, or of UTF-16 units in either byte order, read through a cursor; the
 * scanner sees units of either kind alike. What tokens a format has is told by a style: characters
 * that are tokens by themselves, what begins a comment, what encloses a string, whether line ends
 * matter. Everything else between blanks is a word. A line ends with LF, with CR LF or with CR
 * alone; each is counted. A control character ends whatever it stands in and is a token of its own.
 * Nothing is copied: a token is a range, and whoever wants its text asks for it. Tokens are bounded
 * by the style; a longer one is cut into a token that says so.
 */
#ifndef FH_CORE_SCAN_H
#define FH_CORE_SCAN_H

#include "core/cursor.h"
#include "core/finding.h"
#include "core/number.h"
#include "core/text.h"

/* How characters lie in the bytes. */
typedef enum fh_encoding {
    FH_ENCODING_BYTES = 0,
    FH_ENCODING_UTF16LE,
    FH_ENCODING_UTF16BE
} fh_encoding;

typedef enum fh_token_kind {
    FH_TOKEN_END = 0,  /* of the bytes; again and again */
    FH_TOKEN_WORD,     /* anything that is none of the others */
    FH_TOKEN_MARK,     /* one character of the style's marks: see `mark` */
    FH_TOKEN_STRING,   /* what stands between the quotes, which are not part of it */
    FH_TOKEN_COMMENT,  /* from the comment's character, included, to the end of the line */
    FH_TOKEN_LINE_END, /* only where the style wants them */
    FH_TOKEN_CONTROL,  /* one control character that is no blank: see `mark` */
    FH_TOKEN_OPEN,     /* a string that is not closed on its line: what there is of it */
    FH_TOKEN_LONG      /* a word, string or comment that goes past the bound: its first part */
} fh_token_kind;

/* A place in a text: the byte from the start of the bytes, line and column from 1. Columns count
 * units: bytes, or UTF-16 units. */
typedef struct fh_text_place {
    uint32_t off;
    uint32_t line;
    uint32_t column;
} fh_text_place;

typedef struct fh_token {
    fh_token_kind kind;
    fh_text_place at;   /* where it begins; of a string, its opening quote */
    uint32_t off;       /* of its text: as `at`, of a string one unit further */
    uint32_t num_units; /* of its text */
    uint16_t mark;      /* FH_TOKEN_MARK, FH_TOKEN_CONTROL: the character */
    bool has_high;      /* some unit of it is above 127 */
    bool at_end;        /* the bytes end where it does, and with more of them it could be longer */
} fh_token;

/* What tokens there are. Constant, and shared by all scanners of a format. */
typedef struct fh_scan_style {
    const char *marks;    /* characters that are tokens by themselves, and end a word; may be "" */
    char comment;         /* begins a comment, ends a word; 0: there are none */
    char quote;           /* encloses strings, ends a word; 0: there are none */
    bool has_line_ends;   /* line ends are tokens, not blanks */
    bool has_form_feed;   /* FF is a blank; else a control character, as VT always is */
    uint32_t most_units;  /* bound of a word or string */
    uint32_t most_remark; /* bound of a comment, 0: none */
} fh_scan_style;

typedef struct fh_scan {
    fh_cursor cur; /* over the whole text, from its first byte */
    fh_encoding encoding;
    const fh_scan_style *style;
    uint32_t line;       /* of the position, from 1 */
    uint32_t line_units; /* units of that line in front of the position */
    uint32_t num_lf;     /* line ends so far */
    uint32_t num_crlf;
    uint32_t num_cr;
} fh_scan;

/* fh_scan_make begins at the start of bytes, which are at most 4 GiB. */
FH_API fh_scan fh_scan_make(fh_cursor bytes, fh_encoding encoding, const fh_scan_style *style);

/* fh_scan_bom tells a byte order mark at the start of bytes: its length, 0 if there is none, and
 * the encoding that it means. UTF-8 is FH_ENCODING_BYTES. */
FH_API size_t fh_scan_bom(fh_cursor bytes, fh_encoding *encoding);

/* fh_scan_open begins behind the byte order mark, whose length goes to *bom_len, in the encoding
 * that the first bytes tell. */
FH_API fh_scan fh_scan_open(fh_cursor bytes, const fh_scan_style *style, size_t *bom_len);

/* fh_scan_guess tells the encoding of bytes that begin, without a mark, with an ASCII character. */
FH_API fh_encoding fh_scan_guess(fh_cursor bytes);

/* fh_scan_begin tells where the text begins that has its first character, an ASCII one, in the byte
 * at `at`: there, or in front of the zero byte that precedes it in UTF-16, big endian, or of a byte
 * order mark. is_wide: the text is UTF-16. Seen from inside both byte orders are the same bytes;
 * without a mark, a zero byte in front is the text's own if it stands at an even offset, or alone
 * and not behind the end of another line. */
FH_API size_t fh_scan_begin(fh_cursor bytes, size_t at, bool is_wide);

/* fh_scan_unit_at returns the unit at an offset of bytes, or FH_NO_UNIT where no whole one lies. */
enum { FH_NO_UNIT = FH_NO_BYTE };
FH_API int32_t fh_scan_unit_at(fh_cursor bytes, fh_encoding encoding, size_t off);

/* fh_scan_unit_len returns the bytes of a unit, 1 or 2. */
FH_API size_t fh_scan_unit_len(fh_encoding encoding);

/* fh_encoding_name returns "bytes", "UTF-16, little endian" or "UTF-16, big endian". */
FH_API const char *fh_encoding_name(fh_encoding encoding);

/* fh_scan_next reads the next token. The caller pays for its units. */
FH_API fh_token fh_scan_next(fh_scan *scan);

/* fh_scan_place is where the scanner stands. */
FH_API fh_text_place fh_scan_place(const fh_scan *scan);

/* fh_scan_read copies the text of a token into buf of the given size, ended by 0, units above 127
 * as '?', and returns the number of characters. What does not fit is left out. */
FH_API size_t fh_scan_read(const fh_scan *scan, const fh_token *token, char *buf, size_t size);

/* fh_scan_unit returns a unit of a token's text; index is below its number of units. */
FH_API uint32_t fh_scan_unit(const fh_scan *scan, const fh_token *token, uint32_t index);

/* fh_scan_is compares the text of a token with an ASCII text; fh_scan_is_but_case does so without
 * regard to the case of ASCII letters, fh_scan_begins with the front of the token's. */
FH_API bool fh_scan_is(const fh_scan *scan, const fh_token *token, const char *text);
FH_API bool fh_scan_is_but_case(const fh_scan *scan, const fh_token *token, const char *text);
FH_API bool fh_scan_begins(const fh_scan *scan, const fh_token *token, const char *text);

/* fh_scan_same compares the text of two tokens; fh_scan_hash is the same for equal ones. */
FH_API bool fh_scan_same(const fh_scan *scan, const fh_token *a, const fh_token *b);
FH_API uint32_t fh_scan_hash(const fh_scan *scan, const fh_token *token);

/* fh_scan_same_text compares the text of two tokens of two texts, unit by unit. */
FH_API bool fh_scan_same_text(const fh_scan *a_scan, const fh_token *a, const fh_scan *b_scan,
                              const fh_token *b);

/* fh_scan_int and fh_scan_real read a token's text as a number; see number.h. No bound of a style
 * may be above FH_SCAN_MOST_UNITS. */
#define FH_SCAN_MOST_UNITS 4096u
FH_API fh_integer fh_scan_int(const fh_scan *scan, const fh_token *token);
FH_API fh_real fh_scan_real(const fh_scan *scan, const fh_token *token);

/* fh_scan_show appends a token as a finding shows it: in its quotes, cut where it is long, units
 * that cannot be printed as \xHH. */
FH_API void fh_scan_show(fh_text *out, const fh_scan *scan, const fh_token *token);

/* fh_text_put_place appends "line 3, column 7", the beginning of a finding's context. */
FH_API void fh_text_put_place(fh_text *out, fh_text_place at);

#endif
