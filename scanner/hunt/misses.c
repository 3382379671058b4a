#include "hunt/misses.h"

#include "hunt/run_rules.h"
#include "source/image_rules.h"

#include <assert.h>
#include <string.h>

bool fh_miss_is_deeper(const fh_miss *a, const fh_miss *b)
{
    if (a->probe.evidence_bits != b->probe.evidence_bits) {
        return a->probe.evidence_bits > b->probe.evidence_bits;
    }
    if (a->probe.frames != b->probe.frames) {
        return a->probe.frames > b->probe.frames;
    }
    if (a->raw_off != b->raw_off) {
        return a->raw_off < b->raw_off;
    }
    return strcmp(a->format->name, b->format->name) < 0;
}

static void swap(fh_miss *a, fh_miss *b)
{
    const fh_miss before = *a;
    *a = *b;
    *b = before;
}

/* Moves a new one, at the end, up to where its parent is shallower. */
static void rise(fh_miss *heap, size_t at)
{
    while (at > 0 && fh_miss_is_deeper(&heap[(at - 1) / 2], &heap[at])) {
        swap(&heap[(at - 1) / 2], &heap[at]);
        at = (at - 1) / 2;
    }
}

/* Moves the one on top down to where its children are deeper. */
static void sink(fh_miss *heap, size_t num)
{
    for (size_t at = 0; 2 * at + 1 < num;) {
        size_t child = 2 * at + 1;
        if (child + 1 < num && fh_miss_is_deeper(&heap[child], &heap[child + 1])) {
            child++;
        }
        if (!fh_miss_is_deeper(&heap[at], &heap[child])) {
            return;
        }
        swap(&heap[at], &heap[child]);
        at = child;
    }
}

void fh_misses_add(fh_misses *misses, const fh_miss *miss)
{
    misses->num++;
    if (misses->num_kept < FH_MAX_FINDINGS_PER_RULE) {
        misses->kept[misses->num_kept] = *miss;
        rise(misses->kept, misses->num_kept++);
    } else if (fh_miss_is_deeper(miss, &misses->kept[0])) {
        misses->kept[0] = *miss;
        sink(misses->kept, misses->num_kept);
    }
}

void fh_misses_sort(fh_misses *misses)
{
    /* The shallowest goes to the end, again and again. */
    for (size_t num = misses->num_kept; num > 1; num--) {
        swap(&misses->kept[0], &misses->kept[num - 1]);
        sink(misses->kept, num - 1);
    }
}

void fh_put_seam(fh_text *text, const fh_seam *seam)
{
    fh_text_str(text, fh_seam_name(seam->reason));
    if (seam->lba != FH_UNKNOWN) {
        fh_text_s64(fh_text_str(text, " before LBA "), seam->lba);
    }
}

static void put_depth(fh_text *text, const fh_probe *probe)
{
    if (probe->frames > 0) {
        fh_text_u64(fh_text_str(text, probe->has_more_frames ? "at least " : ""), probe->frames);
        fh_text_str(text, probe->frames == 1 ? " sound frame" : " sound frames");
    } else {
        fh_text_str(text, "a sound beginning");
    }
    fh_text_u64(fh_text_str(text, ", "), probe->evidence_bits);
    fh_text_str(text, " bits, then ");
}

fh_finding fh_miss_finding(const fh_miss *miss)
{
    assert(miss->probe.verdict == FH_REJECT && miss->probe.rule != NULL);
    const fh_rule *rule = miss->is_cut          ? &fh_image_rules.rules[FH_IMG0072]
                          : miss->cause != NULL ? &fh_image_rules.rules[FH_IMG0062]
                                                : &fh_run_rules.rules[FH_RUN0006];
    fh_finding finding = fh_finding_make(rule, miss->format->name);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    put_depth(&text, &miss->probe);
    fh_text_hex(fh_text_str(fh_text_str(&text, miss->probe.rule->code), " at +"),
                miss->probe.reject_off, 1);
    if (miss->is_cut) {
        fh_put_seam(fh_text_str(&text, ", cut by "), &miss->seam);
    } else if (miss->cause != NULL) {
        fh_text_str(fh_text_str(&text, ", cut by "), miss->cause);
    }
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(&text, "a structure that holds to its end");
    return finding;
}
