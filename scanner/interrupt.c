#include "cmd.h"

#include <signal.h>
#include <stdatomic.h>

static atomic_bool interrupted; /* workers ask as well */

static void on_signal(int signal)
{
    (void)signal;
    atomic_store(&interrupted, true);
}

bool fh_interrupted(void *unused)
{
    (void)unused;
    return atomic_load(&interrupted);
}

const fh_stop fh_interrupt = {fh_interrupted, NULL};

/* No SA_RESTART: whoever waits for input, or for a reader of output, is to wake up. */
void fh_catch_signals(void)
{
    struct sigaction end = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGINT, &end, NULL);
    (void)sigaction(SIGTERM, &end, NULL);
    (void)sigaction(SIGPIPE, &ignore, NULL);
    (void)sigaction(SIGXFSZ, &ignore, NULL);
}
