#include "hunt/base.h"

#include "source/memory.h"

static uint32_t within_ram(int64_t number)
{
    return (uint32_t)((uint64_t)number % FH_RAM_MAX_LEN);
}

/* An asset may lie further behind in its source than its address is high. */
void fh_base_vote(fh_base_poll *poll, int64_t raw_off, int64_t address)
{
    const uint32_t base =
        (within_ram(address) + FH_RAM_MAX_LEN - within_ram(raw_off)) % FH_RAM_MAX_LEN;
    size_t i = 0;
    while (i < poll->num && poll->bases[i].address != base) {
        i++;
    }
    if (i == FH_MAX_BASES) {
        poll->num_others++;
        return;
    }
    if (i == poll->num) {
        poll->bases[poll->num++] = (fh_base){.address = base};
    }
    poll->bases[i].num_votes++;
}

bool fh_base_is_agreed(const fh_base_poll *poll)
{
    return poll->num == 1;
}

void fh_base_tell(fh_text *out, const fh_base_poll *poll)
{
    for (size_t i = 0; i < poll->num; i++) {
        const fh_base *base = &poll->bases[i];
        fh_text_hex(fh_text_str(out, i > 0 ? ", " : ""), FH_RAM_BASE + base->address, 8);
        fh_text_s64(fh_text_str(out, " ("), base->num_votes);
        fh_text_str(out, i > 0 ? ")" : base->num_votes == 1 ? " vote)" : " votes)");
    }
    if (poll->num_others > 0) {
        fh_text_str(fh_text_s64(fh_text_str(out, ", others ("), poll->num_others), ")");
    }
}
