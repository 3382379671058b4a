/* Threads that help: they leave signals to the threads that the program has anyway, whose reading
 * and waiting signals interrupt. Internal to the program.
 */
#ifndef FH_SOURCE_THREAD_H
#define FH_SOURCE_THREAD_H

#include "core/status.h"

#include <pthread.h>
#include <stdbool.h>

/* fh_thread_start starts a thread that takes no signals; join it. false: the system has none left,
 * and whoever asked must do without. */
bool fh_thread_start(pthread_t *out, void *(*work)(void *user), void *user) FH_MUST_USE;

#endif
