#include "core/format.h"

#include <assert.h>

const char *fh_grade_name(fh_grade grade)
{
    static const char *const names[] = {"candidate", "structure", "references", "replayed"};
    assert(grade <= FH_GRADE_REPLAYED);
    return names[grade];
}

const char *fh_replay_state_name(fh_replay_state state)
{
    static const char *const names[] = {"complete", "assumed", "stopped", "still", "broken"};
    assert(state <= FH_REPLAY_BROKEN);
    return names[state];
}
