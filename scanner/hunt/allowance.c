/* Apart from exam.c, for who needs them without it. */
#include "hunt/exam.h"

fh_budget fh_budget_for(size_t len, uint32_t num_slots)
{
    const uint64_t tables = num_slots <= FH_PLAYER_SLOTS ? 1 : 1 + num_slots / FH_PLAYER_SLOTS;
    return (fh_budget){(FH_BUDGET_FLOOR + FH_BUDGET_PER_BYTE * (uint64_t)len) * tables};
}

size_t fh_arena_len(size_t len)
{
    return FH_ARENA_FLOOR + FH_ARENA_PER_BYTE * len;
}
