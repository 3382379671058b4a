/* The claim of a track, and the accounts that its work is paid from. */
#include "hunt/track_impl.h"

#include "hunt/run_rules.h"

/* ---- the claim ---- */

void fh_track_close_claim(fh_track *track)
{
    fh_claim *claim = &track->claim;
    claim->is_open = claim->is_open && !claim->is_quiet;
    if (claim->is_open && claim->num_inside > 0) {
        fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0003], "places inside");
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_s64(&text, claim->num_inside);
        fh_text_hex(fh_text_str(&text, ", the first at +"), (uint64_t)claim->first_inside, 1);
        finding.offset = claim->first_inside;
        fh_ahead_finding(track->hunt, &finding, claim->fate, claim->first_inside_raw, false);
    }
    if (claim->is_open && claim->cut_off != FH_UNKNOWN) {
        fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0009], "places inside");
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_hex(fh_text_str(&text, "not tried behind +"), (uint64_t)claim->cut_off, 1);
        finding.offset = claim->cut_off;
        fh_ahead_finding(track->hunt, &finding, claim->fate, claim->cut_off_raw, true);
    }
    claim->is_open = false;
    fh_fate_drop(claim->fate);
    claim->fate = NULL;
}

void fh_track_open_claim(fh_track *track, const fh_format *format, int64_t start, size_t len,
                         fh_fate *fate, bool is_quiet)
{
    const fh_claim before = track->claim;
    const int64_t end = start + (int64_t)len;
    const bool overlaps = before.is_open && start < before.end;
    const int64_t new_from = overlaps ? before.end : start;
    if (overlaps && end <= before.end) {
        fh_fate_drop(fate);
        return;
    }
    fh_track_close_claim(track);
    track->claim = (fh_claim){.is_open = true,
                              .start = start,
                              .end = end,
                              .place = fh_window_place(&track->window, start),
                              .fate = fate,
                              .is_quiet = is_quiet,
                              .format = format,
                              .budget_left = overlaps ? before.budget_left : FH_INSIDE_BUDGET_FLOOR,
                              .cut_off = FH_UNKNOWN};
    /* Work is paid for once a byte, however many assets share it. */
    track->claim.budget_left += FH_INSIDE_BUDGET_PER_BYTE * (uint64_t)(end - new_from);
}

bool fh_track_is_inside(fh_track *track, int64_t start, size_t len)
{
    fh_claim *claim = &track->claim;
    if (!fh_track_lies_in_claim(track, start) || start + (int64_t)len > claim->end) {
        return false;
    }
    if (claim->num_inside++ == 0) {
        claim->first_inside = start - claim->start;
        claim->first_inside_raw = fh_window_place(&track->window, start).raw_off;
    }
    return true;
}

/* ---- work ---- */

static void cut_off(fh_track *track, int64_t start)
{
    if (track->claim.cut_off == FH_UNKNOWN) {
        track->claim.cut_off = start - track->claim.start;
        track->claim.cut_off_raw = fh_window_place(&track->window, start).raw_off;
    }
}

bool fh_track_may_examine(fh_track *track, int64_t start)
{
    fh_budget budget = {track->claim.budget_left};
    if (!fh_track_lies_in_claim(track, start)) {
        return true;
    }
    const int64_t shared = track->claim.end - start;
    const bool is_paid = fh_pay(&budget, FH_INSIDE_BUDGET_PER_BYTE * (uint64_t)shared);
    track->claim.budget_left = budget.left;
    if (!is_paid) {
        cut_off(track, start);
    }
    return is_paid;
}

/* Notes a place that is not told by itself. */
static void count_starved(fh_starved *starved, int64_t raw_off)
{
    starved->from = starved->num == 0 || raw_off < starved->from ? raw_off : starved->from;
    starved->to = starved->num == 0 || raw_off > starved->to ? raw_off : starved->to;
    starved->num++;
}

void fh_track_give_up(fh_track *track, const fh_format *format, int64_t start)
{
    fh_hunt *hunt = track->hunt;
    const int64_t raw_off = fh_window_place(&track->window, start).raw_off;
    hunt->hit_limit = true;
    if (fh_track_is_at_start(track, start)) {
        hunt->at_start = format; /* nobody knows that the file's name lies */
    }
    if (hunt->num_starved++ >= (int64_t)FH_MAX_FINDINGS_PER_RULE) {
        count_starved(&hunt->starved, raw_off); /* told at the end of the source */
        return;
    }
    fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0010], format->name);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, "given up");
    fh_ahead_finding(hunt, &finding, NULL, raw_off, false);
}

fh_account *fh_track_account(fh_track *track, const fh_format *format)
{
    const fh_hunt_options *options = track->hunt->options;
    size_t i = 0;
    while (i + 1 < options->num_formats && options->formats[i] != format) {
        i++;
    }
    return &track->accounts[i];
}

/* The bytes in front of a place pay for it, those behind it for what comes there: candidates that
 * have spent everything cannot hide an asset that lies behind them. */
static fh_account *paid_account(fh_track *track, const fh_format *format, int64_t start)
{
    fh_account *account = fh_track_account(track, format);
    if (start > account->paid_to) {
        account->left += FH_SEARCH_BUDGET_PER_BYTE * (uint64_t)(start - account->paid_to) -
                         fh_track_share(account->paid_to, start);
        account->paid_to = start;
    }
    return account;
}

bool fh_track_may_probe(fh_track *track, const fh_format *format, int64_t start, fh_budget *budget)
{
    if (!fh_track_lies_in_claim(track, start)) {
        *budget = (fh_budget){paid_account(track, format, start)->left};
        return budget->left > 0;
    }
    *budget = (fh_budget){track->claim.budget_left};
    if (track->claim.budget_left == 0) {
        cut_off(track, start);
        return false;
    }
    return true;
}

uint64_t fh_track_booked(const fh_probe *probe, bool is_asset, uint64_t cost)
{
    const uint64_t own = is_asset ? fh_budget_for(probe->length, 0).left : 0;
    return cost > own ? cost - own : 0;
}

void fh_track_pay(fh_track *track, const fh_format *format, int64_t start, const fh_probe *probe,
                  bool is_asset, uint64_t left)
{
    if (fh_track_lies_in_claim(track, start)) {
        track->claim.budget_left = left;
        if (fh_track_is_spent(probe)) {
            cut_off(track, start);
        }
        return;
    }
    fh_account *account = fh_track_account(track, format);
    account->left -= fh_track_booked(probe, is_asset, account->left - left);
}
