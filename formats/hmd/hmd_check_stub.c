#include "hmd/hmd_checks.h"
void hmd_check_polygons(hmd_check *check)
{
    (void)check;
}
void hmd_check_images(hmd_check *check)
{
    (void)check;
}
void hmd_check_mime(hmd_check *check)
{
    (void)check;
}
void hmd_check_ground(hmd_check *check)
{
    (void)check;
}
void hmd_check_envmap(hmd_check *check)
{
    (void)check;
}
void hmd_check_devices(hmd_check *check)
{
    (void)check;
}
void hmd_check_memory(hmd_check *check)
{
    (void)check;
}
