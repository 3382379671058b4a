#include "tra_bench.h"

#include "forge/bac_text.h"
#include "forge/tra_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const fh_verify_options alone = {.stand_alone = true, .aligned = true};

typedef bool build_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                        size_t limit);

static forge_buf build_by(build_text *by, const char *text)
{
    forge_buf out;
    forge_error err = {.kind = FORGE_OK};
    HOLD(by(&out, &err, text, strlen(text), FORGE_TRA_LIMIT), "line %u: %s\n%s", err.line, err.text,
         text);
    return out;
}

forge_buf build(const char *text)
{
    return build_by(forge_tra_text, text);
}

forge_buf verify(bench *b, const char *text)
{
    forge_buf out = build(text);
    b->format = fh_format_find("tra");
    bench_verify(b, out.data, out.len, alone);
    return out;
}

forge_buf play(bench *b, const char *text)
{
    forge_buf out = verify(b, text);
    HOLD(b->model != NULL, "no model: %s", record_codes(&b->verify));
    bench_replay(b, &(fh_replay_options){0});
    HOLD(b->replay_status == FH_OK && b->result.state == FH_REPLAY_COMPLETE, "replay");
    return out;
}

double real_at(const bench *b, int64_t bone, uint32_t frame, const char *column)
{
    const int64_t bits = record_value(&b->replay, "bone", bone, frame, column);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void hold_near(double got, double want, double most, const char *what)
{
    HOLD(fabs(got - want) <= most, "%s is %.17g, not %.17g", what, got, want);
}

static void hold_last(const tra_case *of, const fh_finding *last, size_t i)
{
    HOLD(last != NULL, "case %zu: nothing is told", i);
    HOLD(strcmp(last->found, of->found) == 0, "case %zu: found '%s'", i, last->found);
    HOLD(strcmp(last->expected, of->expected) == 0, "case %zu: expected '%s'", i, last->expected);
    HOLD(last->frame == of->frame, "case %zu: frame %d", i, (int)last->frame);
}

void hold_cases(const tra_case *cases, size_t num, fh_verify_options options)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (size_t i = 0; i < num; i++) {
        char codes[256] = "";
        const fh_finding *last = NULL;
        bench_verify(&b, cases[i].text, strlen(cases[i].text), options);
        for (size_t k = 0; k < b.verify.num_findings; k++) {
            const fh_finding *one = &b.verify.findings[k];
            if (strcmp(one->rule->code, "TRA0075") != 0) {
                const size_t len = strlen(codes);
                (void)snprintf(codes + len, sizeof codes - len, "%s%s", len == 0 ? "" : " ",
                               one->rule->code + 3);
                last = one;
            }
        }
        HOLD(strcmp(codes, cases[i].codes) == 0, "case %zu: %s, not %s", i, codes, cases[i].codes);
        if (cases[i].found != NULL) {
            hold_last(&cases[i], last, i);
        }
    }
    bench_close(&b);
}

/* ---- an animation and its model ---- */

void pair_open(pair *p, const char *tra, const void *bac, size_t len)
{
    bench_open(&p->b);
    p->b.format = fh_format_find("tra");
    p->tra = build(tra);
    p->bac = malloc(len > 0 ? len : 1);
    memcpy(p->bac, bac, len);
    p->companion = fh_cursor_make(p->bac, len, 0);
    bench_verify(
        &p->b, p->tra.data, p->tra.len,
        (fh_verify_options){.stand_alone = true, .aligned = true, .companion = &p->companion});
}

void pair_forge(pair *p, const char *tra, const char *bac)
{
    forge_buf text = build_by(forge_bac_text, bac);
    pair_open(p, tra, text.data, text.len);
    forge_buf_free(&text);
}

void pair_close(pair *p)
{
    bench_close(&p->b);
    forge_buf_free(&p->tra);
    free(p->bac);
}

const char *codes_of(pair *p, const char *tra, const char *bac)
{
    pair_forge(p, tra, bac);
    return record_codes(&p->b.verify);
}
