#include "source/thread.h"

#include <signal.h>

bool fh_thread_start(pthread_t *out, void *(*work)(void *user), void *user)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) {
        return false;
    }
    const bool is_started = pthread_create(out, NULL, work, user) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}
