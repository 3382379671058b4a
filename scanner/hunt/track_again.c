/* The places of a track that could not be paid for, and a second look at them.
 *
 * Bytes that spend all of the search's work could hide an asset that lies directly behind them: it
 * has only what the bytes between it and the last place pay. So the last places of each format are
 * put off instead, and looked at once more when so much has been searched behind them that their
 * own bytes have paid; or earlier, where something is found, the next one of the format lies too
 * far behind to belong to the same row, or the stream ends. The last one comes first, for what lies
 * behind a row of hostile places is what they must not hide, and who comes to these goes no
 * further. What this costs is paid from a pot of its own, so that no other place has less for it:
 * for each format FH_AGAIN_BUDGET_FLOOR, and a share of what the bytes pay.
 *
 * Until they are decided nothing that lies behind them is: what is told comes in the order of its
 * places, and may turn out to lie inside of one.
 */
#include "hunt/track_impl.h"

#include <string.h>

/* Forgets the first num. */
static void drop(fh_track *track, size_t num)
{
    track->num_put_off -= num;
    memmove(track->put_off, track->put_off + num, track->num_put_off * sizeof *track->put_off);
}

/* The oldest of a format, if it has as many as may be; the oldest of all, if these are too many;
 * else none, and their number is returned. */
static size_t find_surplus(const fh_track *track, const fh_format *format)
{
    size_t oldest = track->num_put_off;
    size_t num = 0;
    for (size_t i = track->num_put_off; i > 0; i--) {
        if (track->put_off[i - 1].format == format) {
            oldest = i - 1;
            num++;
        }
    }
    if (num >= FH_PUT_OFF_EACH) {
        return oldest;
    }
    return track->num_put_off < FH_MAX_PUT_OFF ? track->num_put_off : 0;
}

bool fh_track_is_behind_gap(const fh_track *track, const fh_format *format, int64_t start)
{
    size_t i = track->num_put_off;
    while (i > 0 && track->put_off[i - 1].format != format) {
        i--;
    }
    return i > 0 && start - track->put_off[i - 1].start >= FH_AGAIN_GAP;
}

void fh_track_put_off(fh_track *track, const fh_format *format, int64_t start)
{
    const size_t surplus = find_surplus(track, format);
    if (surplus < track->num_put_off) {
        fh_put_off *given_up = &track->put_off[surplus];
        fh_track_give_up(track, given_up->format, given_up->start);
        track->num_put_off--;
        memmove(given_up, given_up + 1, (track->num_put_off - surplus) * sizeof *given_up);
    }
    track->put_off[track->num_put_off++] = (fh_put_off){.format = format, .start = start};
}

size_t fh_track_needed(const fh_track *track)
{
    size_t needed = track->scan;
    for (size_t i = 0; i < track->num_put_off; i++) {
        const size_t pos = (size_t)(track->put_off[i].start - track->window.origin);
        needed = pos < needed ? pos : needed;
    }
    return needed;
}

/* The bytes that were searched have paid. */
static fh_account *paid_account(fh_track *track, const fh_format *format)
{
    fh_account *account = fh_track_account(track, format);
    const int64_t searched = track->window.origin + (int64_t)track->scan;
    if (searched > account->again_paid_to) {
        account->again_left += fh_track_share(account->again_paid_to, searched);
        account->again_paid_to = searched;
    }
    return account;
}

/* What there is for a look, with so much that is kept. */
static uint64_t purse(const fh_account *account, uint64_t kept)
{
    const bool is_open = account->num_vain < FH_AGAIN_VAIN && account->again_left > kept;
    return is_open ? account->again_left - kept : 0;
}

/* Looks at a place again. One that is not looked at, or cannot be paid for even so, stays spent. */
static fh_decision judge(fh_track *track, fh_put_off *place, uint64_t kept, const fh_seam *seam)
{
    fh_account *account = paid_account(track, place->format);
    fh_budget budget = {purse(account, kept)};
    const uint64_t given = budget.left;
    fh_probe *probe = &place->probe;
    *probe = (fh_probe){.verdict = FH_REJECT, .status = FH_LIMIT};
    if (given > 0 && !fh_track_probe(track, probe, place->format, place->start, seam, &budget)) {
        return FH_DECIDED; /* the hunt is over */
    }
    const bool is_asset =
        probe->verdict == FH_ACCEPT && !fh_track_is_weak(track, place->start, probe, seam);
    account->again_left -= fh_track_booked(probe, is_asset, given - budget.left);
    if (seam == NULL && fh_track_waits(track, place->start, probe)) {
        return FH_UNDECIDED;
    }
    place->is_judged = true;
    account->num_vain += is_asset ? 0 : 1;
    return FH_DECIDED;
}

static void decide(fh_track *track, const fh_put_off *place, const fh_seam *seam)
{
    const size_t pos = (size_t)(place->start - track->window.origin);
    if (track->claim.is_open && place->start >= track->claim.end) {
        fh_track_close_claim(track);
    }
    if (fh_track_is_spent(&place->probe)) {
        fh_track_give_up(track, place->format, place->start);
    } else {
        fh_track_decide(track, place->format, pos, &place->probe, seam);
    }
}

/* Judges the first num from the last one on, and decides them from the first one on. */
static fh_decision look_at(fh_track *track, size_t num, uint64_t kept, const fh_seam *seam)
{
    for (size_t i = num; i > 0; i--) {
        if (!track->put_off[i - 1].is_judged &&
            judge(track, &track->put_off[i - 1], kept, seam) == FH_UNDECIDED) {
            return FH_UNDECIDED;
        }
    }
    for (size_t i = 0; i < num; i++) {
        fh_track_account(track, track->put_off[i].format)->num_vain = 0;
    }
    for (size_t i = 0; i < num && !fh_hunt_is_over(track->hunt); i++) {
        decide(track, &track->put_off[i], seam);
    }
    drop(track, num);
    return FH_DECIDED;
}

fh_decision fh_track_look_again(fh_track *track, const fh_seam *seam)
{
    return look_at(track, track->num_put_off, FH_AGAIN_BUDGET_KEPT, seam);
}

fh_decision fh_track_look_back(fh_track *track, bool is_end, const fh_seam *seam)
{
    const int64_t searched = track->window.origin + (int64_t)track->scan;
    size_t num = 0;
    while (num < track->num_put_off &&
           (is_end || searched - track->put_off[num].start >= FH_AGAIN_DISTANCE)) {
        num++;
    }
    return num > 0 ? look_at(track, num, 0, seam) : FH_DECIDED;
}
