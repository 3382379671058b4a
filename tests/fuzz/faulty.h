/* Oracles that are asked of faulty code: each must be able to fail, and say its own words.
 *
 * A program of this kind lists faults and the truth that each of them violates. A fault is planted
 * between an oracle and what it judges, in a process of its own, which must end as an oracle ends
 * one: with `violated: TRUTH` and an abort. Without a fault (its truth is NULL) nothing may be
 * said.
 */
#ifndef FAULTY_H
#define FAULTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct faulty_case {
    const char *fault;
    const char *truth;         /* NULL: no oracle may be violated */
    void (*ask)(void);         /* the oracle that it is for; NULL: all of them */
    bool (*can_be_seen)(void); /* in this build; NULL: it can */
} faulty_case;

/* faulty_is tells whether this is the fault that is planted, faulty_ask whom to ask. */
bool faulty_is(const char *fault);
void (*faulty_ask(void))(void);

/* faulty_counts_memory tells whether fuzz_end sees what is allocated: the sanitizers tell it. */
bool faulty_counts_memory(void);

/* faulty_spend is for faults of what a run costs: it takes a GiB of memory for a moment, and lets
 * the clock of the process run away from now on. */
void faulty_spend(bool memory, bool time);

/* faulty_main runs all of them, and speaks TAP; with the only argument --truths it lists theirs.
 * Otherwise the arguments are files, which run gets. */
int faulty_main(int argc, char **argv, const faulty_case *cases, size_t num_cases,
                void (*run)(char **files));

/* faulty_read reads a file, or ends the program. Owned by the caller. */
uint8_t *faulty_read(const char *path, size_t *len);

#endif
