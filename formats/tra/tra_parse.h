/* Reading a TRA4 text: from its first byte to the parenthesis that closes Figure.
 *
 * The same reader serves the search (is there a TRA4 text here at all?) and the decoder. It goes on
 * behind everything that leaves the structure clear, telling what it found, and stops at the first
 * thing that does not: the fault. Depth is fixed by the grammar; nothing recurses.
 */
#ifndef FH_TRA_PARSE_H
#define FH_TRA_PARSE_H

#include "core/format.h"
#include "tra/tra_model.h"

/* What a text is worth that is not whole. */
typedef struct tra_worth {
    uint32_t num_keys;  /* whole ones, kf and kgf, whose parameters are what they must be */
    uint32_t num_bones; /* whole ones, with a name and such a key */
    uint32_t evidence;  /* bits demanded by what was recognised */
} tra_worth;

typedef struct tra_parse {
    tra_check check; /* model, budget, where findings go, and the place that is being read */
    tra_model *model;
    fh_scan scan;
    bool is_closed;   /* nothing follows the bytes */
    bool is_filling;  /* the tables are there, with room for what was counted */
    bool is_inside;   /* reading begins inside of a text, and ends at what the grammar forbids */
    bool is_fragment; /* something is known to be missing: where the text breaks off is not told */
    bool is_stopped;
    bool wants_more;    /* stopped: the bytes end, but more may come */
    bool is_faulty;     /* stopped, or what is there cannot be played */
    enum tra_rule rule; /* of the fault */
    size_t fault_off;
    fh_status fault_status;
    size_t break_off; /* stopped: the text breaks off here, behind what is left of its last token */
    bool has_offence; /* there was a token that the grammar forbids, though reading went on */
    size_t offence_off; /* the first one */
    tra_worth before_offence;
    tra_worth worth;
    size_t last_open;      /* the parenthesis that began the chunk read last, for tra_locate */
    uint32_t depth;        /* chunks that are open */
    bool is_past_comments; /* something else has been read than the identification and comments */
    size_t last_comment;   /* the last byte of those; 0: there is no identification */
    size_t known_to;       /* of comments up to here it is known whether Head is next */
    bool is_head_known;    /* it is */
    fh_token first_odd;
    uint32_t num_odd; /* numbers in an unusual form */
    bool has_head;
    fh_text_place head;
    fh_text_place name_at; /* of Figure */
    bool has_name;
    bool is_total_read;
    unsigned rank; /* of the last chunk of Figure in the manual's order */
    bool is_order_told;
    int32_t last_frame; /* of the channel that is being read */
    bool ascends;
} tra_parse;

/* tra_parse_make prepares to read bytes. check says where findings go, and pays. */
tra_parse tra_parse_make(tra_model *model, tra_check check, fh_cursor bytes, bool is_closed);

/* tra_parse_run reads the text. What stopped it is in the parse; model->end is set when nothing
 * did. While the model has no tables everything is only counted. */
void tra_parse_run(tra_parse *parse);

/* tra_parse_end tells what is told once for a text, at its end or where a fragment breaks off. */
void tra_parse_end(tra_parse *parse);

/* tra_parse_behind judges what follows the text in a file of its own; parse has run. */
void tra_parse_behind(tra_parse *parse);

/* tra_probe is the probe of the format. */
void tra_probe(fh_probe *out, fh_cursor bytes, fh_end end, fh_memo *memo, fh_arena *arena,
               fh_budget *budget);

#endif
