#include "hmd/hmd_checks.h"

void hmd_check_animation(hmd_check *check)
{
    (void)check;
}
