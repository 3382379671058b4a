/* Sorting numbers in place: a heap sort, for the order of equal numbers does not matter here. */
#ifndef FH_HMD_SORT_H
#define FH_HMD_SORT_H

#include "hmd/hmd_model.h"

/* hmd_sort brings the numbers in rising order and pays for it. false without budget. */
bool hmd_sort(hmd_check *check, uint64_t *numbers, uint32_t num);

#endif
