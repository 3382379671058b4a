#include "hmd/hmd_sort.h"

/* Lets the number at `top` sink to its place among those below `num`. */
static void sink(uint64_t *numbers, uint64_t top, uint64_t num)
{
    const uint64_t number = numbers[top];
    uint64_t child = 2 * top + 1;
    while (child < num) {
        if (child + 1 < num && numbers[child + 1] > numbers[child]) {
            child++;
        }
        if (numbers[child] <= number) {
            break;
        }
        numbers[top] = numbers[child];
        top = child;
        child = 2 * top + 1;
    }
    numbers[top] = number;
}

static uint64_t depth(uint64_t num)
{
    uint64_t levels = 1;
    while (num >> levels != 0) {
        levels++;
    }
    return levels;
}

bool hmd_sort(hmd_check *check, uint64_t *numbers, uint32_t num)
{
    if (!hmd_spend(check, 2 * depth(num) * num)) {
        return false;
    }
    for (uint32_t i = num / 2; i > 0; i--) {
        sink(numbers, i - 1, num);
    }
    for (uint32_t i = num; i > 1; i--) {
        const uint64_t largest = numbers[0];
        numbers[0] = numbers[i - 1];
        numbers[i - 1] = largest;
        sink(numbers, 0, i - 1);
    }
    return true;
}
