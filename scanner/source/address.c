#include "source/address.h"

#include "core/finding.h"

#include <assert.h>

fh_address fh_address_make(void)
{
    return (fh_address){.run_index = FH_UNKNOWN,
                        .run_lba = FH_UNKNOWN,
                        .last_index = FH_UNKNOWN,
                        .last_lba = FH_UNKNOWN};
}

static int64_t expected_lba(const fh_address *address, int64_t index)
{
    if (address->run_index != FH_UNKNOWN) {
        return address->run_lba + (index - address->run_index);
    }
    return address->last_index == index - 1 ? address->last_lba + 1 : FH_UNKNOWN;
}

static bool rises(const fh_address *address, int64_t index, int64_t lba, int64_t next_lba)
{
    return (address->last_index == index - 1 && address->last_lba + 1 == lba) ||
           (next_lba != FH_UNKNOWN && next_lba == lba + 1);
}

static bool repeats(const fh_address *address, int64_t index, int64_t lba)
{
    return address->run_index == index - 1 && address->run_lba == lba;
}

/* A header outside its run is a jump unless the next one goes on with the run, or with nothing. */
static bool jumps(int64_t expected, int64_t lba, int64_t next_lba)
{
    if (next_lba == FH_UNKNOWN) {
        return true;
    }
    return next_lba != expected + 1 && (next_lba == lba || next_lba == lba + 1);
}

static void note(fh_address *address, int64_t index, int64_t lba)
{
    address->run_index = lba == FH_UNKNOWN ? FH_UNKNOWN : index;
    address->run_lba = lba;
}

/* A single odd header: the one behind it goes on with the run. */
static bool is_damaged(bool in_run, const fh_address_step *step, int64_t lba, bool again,
                       int64_t next_lba)
{
    if (!in_run || !step->odd || step->jump || next_lba == FH_UNKNOWN) {
        return false;
    }
    return next_lba == (again ? lba : step->expected) + 1;
}

/* Keeps where the run is. */
static void keep_run(fh_address *address, const fh_address_step *step, int64_t index, int64_t lba,
                     bool again)
{
    if (step->lba != FH_UNKNOWN || again) {
        note(address, index, lba);
    } else if (step->jump) {
        note(address, index, FH_UNKNOWN);
    }
    address->last_index = index;
    address->last_lba = lba;
}

fh_address_step fh_address_next(fh_address *address, int64_t index, int64_t lba, int64_t next_lba)
{
    assert(address->last_index == FH_UNKNOWN || address->last_index < index);
    fh_address_step step = {.lba = FH_UNKNOWN, .expected = expected_lba(address, index)};
    bool in_run = address->run_index != FH_UNKNOWN;
    step.odd = lba == FH_UNKNOWN || (step.expected != FH_UNKNOWN && lba != step.expected);
    if (lba == FH_UNKNOWN) {
        step.damaged = is_damaged(in_run, &step, lba, false, next_lba);
        return step;
    }
    bool as_expected = in_run && lba == step.expected;
    if (as_expected || rises(address, index, lba, next_lba)) {
        step.lba = lba;
    }
    bool again = repeats(address, index, lba);
    if (in_run && !as_expected && !again) {
        step.jump = jumps(step.expected, lba, next_lba);
        if (!step.jump) {
            step.lba = FH_UNKNOWN;
        }
    }
    step.damaged = is_damaged(in_run, &step, lba, again, next_lba);
    keep_run(address, &step, index, lba, again);
    return step;
}
