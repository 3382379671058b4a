/* The tables that say which rules look at a field, held against what rules say: every finding of
 * the corpus lies in a field that names its rule. */
#include "corpus.h"

#include "core/describe.h"
#include "core/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 1 << 20, MOST_ROWS = 1024 };

typedef struct place {
    const char *in, *name, *rules;
    size_t off, end;
} place;

typedef struct hold {
    const fh_format *format;
    bench b;
    place *places;
    size_t num_places;
    size_t open[16]; /* groups, by their depth */
    size_t num_open;
    bool is_seen[MOST_ROWS];
    unsigned num_findings, num_wrong;
} hold;

/* ---- what a file consists of ---- */

static place *add_place(hold *h, const fh_field *field)
{
    HOLD(h->num_places < MOST_FIELDS, "more fields than there is room for");
    place *of = &h->places[h->num_places++];
    *of = (place){.in = field->type != NULL ? field->type : field->in,
                  .name = field->type != NULL ? NULL : field->name,
                  .rules = field->rules,
                  .off = field->off,
                  .end = field->off + field->len};
    for (size_t i = 0; of->rules != NULL && i < h->format->governance->num; i++) {
        h->is_seen[i] = h->is_seen[i] || of->rules == h->format->governance->rows[i].rules;
    }
    return of;
}

static void on_group(void *user, const fh_field *group)
{
    hold *h = user;
    h->open[h->num_open++] = (size_t)(add_place(h, group) - h->places);
}

static void on_field(void *user, const fh_field *field)
{
    (void)add_place(user, field);
}

static void on_end(void *user, size_t end)
{
    hold *h = user;
    h->places[h->open[--h->num_open]].end = end;
}

static void describe(hold *h, fh_cursor bytes)
{
    const fh_field_sink sink = {h, on_group, on_field, on_end};
    fh_arena arena = fh_arena_make(h->b.block, BENCH_ARENA);
    fh_budget budget = {BENCH_BUDGET};
    const fh_env env = {.arena = &arena, .budget = &budget};
    h->num_places = 0;
    h->num_open = 0;
    cr_assert(eq(int, h->format->describe(&env, &sink, bytes), FH_OK));
}

/* ---- what is found in it ---- */

static bool has_code(const char *rules, const char *code)
{
    const char *at = rules == NULL ? NULL : strstr(rules, code);
    return at != NULL && (at[7] == ' ' || at[7] == '\0') && (at == rules || at[-1] == ' ');
}

/* A rule may look at several of the fields that a byte lies in, or at none. */
static void hold_finding(hold *h, const char *file, const fh_finding *finding)
{
    const char *code = finding->rule->code;
    const uint64_t at = (uint64_t)finding->offset;
    bool is_any = false;
    bool is_named =
        finding->offset < 0 || has_code(fh_governing(h->format->governance, "", NULL), code);
    for (size_t i = 0; i < h->num_places; i++) {
        const place *of = &h->places[i];
        if (of->off <= at && at < of->end) {
            is_any = true;
            is_named = is_named || has_code(of->rules, code);
        }
    }
    h->num_findings++;
    if (is_named) {
        return;
    }
    h->num_wrong++;
    for (size_t i = 0; i < h->num_places; i++) {
        const place *of = &h->places[i];
        if (of->off <= at && at < of->end && of->in != NULL) {
            (void)fprintf(stderr, "%s: %s is found in %s%s%s\n", file, code, of->in,
                          of->name != NULL ? "." : "", of->name != NULL ? of->name : "");
        }
    }
    if (!is_any) {
        (void)fprintf(stderr, "%s: %s is found in no field\n", file, code);
    }
}

static void hold_record(hold *h, const char *file, const record *of)
{
    for (size_t i = 0; i < of->num_findings; i++) {
        hold_finding(h, file, &of->findings[i]);
    }
}

static void hold_file(void *user, const corpus_file *file)
{
    hold *h = user;
    const fh_cursor bytes = fh_cursor_make(file->bytes.data, file->bytes.len, 0);
    const fh_cursor companion = fh_cursor_make(file->companion.data, file->companion.len, 0);
    const fh_verify_options options = {.stand_alone = true,
                                       .aligned = true,
                                       .ends_file = true,
                                       .companion = file->companion.len > 0 ? &companion : NULL};
    describe(h, bytes);
    bench_verify(&h->b, file->bytes.data, file->bytes.len, options);
    hold_record(h, file->name, &h->b.verify);
    if (h->b.model != NULL) {
        bench_replay(&h->b, &(fh_replay_options){.profile = NULL});
        hold_record(h, file->name, &h->b.replay);
    }
}

/* What only fragments have, of which the corpus has none by themselves. */
static const char fragment[] = "( kf 0 1.5 )";

static void hold_corpus(const char *name)
{
    static hold h;
    h = (hold){.format = fh_format_find(name), .places = calloc(MOST_FIELDS, sizeof(place))};
    const fh_governance *all = h.format->governance;
    HOLD(h.places != NULL && all->num <= MOST_ROWS, "no room");
    bench_open(&h.b);
    h.b.format = h.format;
    corpus_each(h.format, hold_file, &h);
    describe(&h, fh_cursor_make((const uint8_t *)fragment, sizeof fragment - 1, 0));
    for (size_t i = 0; h.format->schema == NULL && i < all->num; i++) {
        HOLD(h.is_seen[i] || all->rows[i].place[0] == '\0', "nothing is called %s",
             all->rows[i].place);
    }
    bench_close(&h.b);
    free(h.places);
    cr_assert(h.num_findings > h.format->num_rules / 2, "%u findings", h.num_findings);
    cr_assert(h.num_wrong == 0, "%u of %u findings lie in no field that names their rule",
              h.num_wrong, h.num_findings);
}

Test(governance, tod)
{
    hold_corpus("tod");
}

Test(governance, hmd)
{
    hold_corpus("hmd");
}

Test(governance, tra)
{
    hold_corpus("tra");
}

Test(governance, camerawork)
{
    hold_corpus("camerawork");
}

/* ---- the tables by themselves ---- */

static bool is_rule(const fh_format *format, const char *code)
{
    for (size_t i = 0; i < format->num_rules; i++) {
        if (strncmp(format->rules[i].code, code, 7) == 0) {
            return true;
        }
    }
    return false;
}

/* Codes rise, with one blank between two, and each is that of a rule. */
static void hold_codes(const fh_format *format, const fh_governed *row)
{
    const size_t len = strlen(row->rules);
    HOLD(len % 8 == 7, "%s: %s", row->place, row->rules);
    for (size_t at = 0; at < len; at += 8) {
        HOLD(is_rule(format, row->rules + at), "%s: no rule %.7s", row->place, row->rules + at);
        HOLD(at == 0 || (row->rules[at - 1] == ' ' &&
                         strncmp(row->rules + at - 8, row->rules + at, 7) < 0),
             "%s: %.7s", row->place, row->rules + at);
    }
}

static bool is_item(const fh_struct *of, const char *name)
{
    for (size_t i = 0; i < of->num_items; i++) {
        if (strcmp(of->items[i].name, name) == 0) {
            return fh_item_len(&of->items[i]) > 0 && !of->items[i].is_peek;
        }
    }
    return false;
}

static bool is_place(const fh_schema *schema, const char *place)
{
    const size_t len = strcspn(place, ".");
    for (size_t i = 0; i < schema->num_structs; i++) {
        const fh_struct *of = schema->structs[i];
        if (strncmp(of->name, place, len) == 0 && of->name[len] == '\0') {
            return place[len] == '\0' || is_item(of, place + len + 1);
        }
    }
    return place[0] == '\0';
}

static void hold_every_rule(const fh_format *format)
{
    for (size_t i = 0; i < format->num_rules; i++) {
        bool is_there = false;
        for (size_t k = 0; k < format->governance->num; k++) {
            is_there =
                is_there || has_code(format->governance->rows[k].rules, format->rules[i].code);
        }
        HOLD(is_there, "nothing names %s", format->rules[i].code);
    }
}

Test(governance, tables)
{
    for (size_t f = 0; f < fh_num_formats; f++) {
        const fh_format *format = fh_formats[f];
        const fh_governance *all = format->governance;
        for (size_t i = 0; i < all->num; i++) {
            hold_codes(format, &all->rows[i]);
            HOLD(i == 0 || strcmp(all->rows[i - 1].place, all->rows[i].place) < 0, "%s",
                 all->rows[i].place);
            HOLD(format->schema == NULL || is_place(format->schema, all->rows[i].place),
                 "no field %s", all->rows[i].place);
        }
        hold_every_rule(format);
    }
}

Test(governance, lookup)
{
    static const fh_governed rows[] = {
        {"", "a"}, {"frame", "b"}, {"frame.size", "c"}, {"frames", "d"}, {"packet.type", "e"}};
    const fh_governance all = {rows, sizeof rows / sizeof rows[0]};
    cr_assert(eq(str, (char *)fh_governing(&all, "", NULL), "a"));
    cr_assert(eq(str, (char *)fh_governing(&all, "frame", NULL), "b"));
    cr_assert(eq(str, (char *)fh_governing(&all, "frame", "size"), "c"));
    cr_assert(eq(str, (char *)fh_governing(&all, "frames", NULL), "d"));
    cr_assert(eq(str, (char *)fh_governing(&all, "packet", "type"), "e"));
    cr_assert(fh_governing(&all, "packet", NULL) == NULL);
    cr_assert(fh_governing(&all, "frame", "siz") == NULL);
    cr_assert(fh_governing(&all, "frame", "sizes") == NULL);
    cr_assert(fh_governing(&all, "fram", NULL) == NULL);
    cr_assert(fh_governing(&all, "zoo", "size") == NULL);
    cr_assert(fh_governing(NULL, "frame", "size") == NULL);
}
