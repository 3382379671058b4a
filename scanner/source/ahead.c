#include "source/ahead.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct fh_ahead {
    fh_tape *tape; /* borrowed */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_asked;
    bool is_done; /* what was asked */
    bool is_over;
    uint8_t *to;
    size_t want;
    size_t len;
    fh_tape_status status;
};

/* Reads all that was asked, or as much as there is. */
static void read_asked(fh_ahead *ahead)
{
    ahead->len = 0;
    ahead->status = FH_TAPE_OK;
    while (ahead->len < ahead->want && ahead->status == FH_TAPE_OK) {
        size_t len = 0;
        ahead->status =
            ahead->tape->read(ahead->tape, &len, ahead->to + ahead->len, ahead->want - ahead->len);
        ahead->len += ahead->status == FH_TAPE_OK ? len : 0;
    }
}

static void *work(void *user)
{
    fh_ahead *ahead = user;
    (void)pthread_mutex_lock(&ahead->lock);
    while (!ahead->is_over) {
        if (ahead->is_asked && !ahead->is_done) {
            (void)pthread_mutex_unlock(&ahead->lock);
            read_asked(ahead);
            (void)pthread_mutex_lock(&ahead->lock);
            ahead->is_done = true;
            (void)pthread_cond_signal(&ahead->changed);
        } else {
            (void)pthread_cond_wait(&ahead->changed, &ahead->lock);
        }
    }
    (void)pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

/* Signals are for the threads that the program has anyway. */
static bool start(fh_ahead *ahead)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) {
        return false;
    }
    const bool is_started = pthread_create(&ahead->thread, NULL, work, ahead) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

fh_ahead *fh_ahead_open(fh_tape *tape)
{
    fh_ahead *ahead = calloc(1, sizeof *ahead);
    if (ahead == NULL || pthread_mutex_init(&ahead->lock, NULL) != 0) {
        free(ahead);
        return NULL;
    }
    ahead->tape = tape;
    const bool has_condition = pthread_cond_init(&ahead->changed, NULL) == 0;
    if (has_condition && start(ahead)) {
        return ahead;
    }
    if (has_condition) {
        (void)pthread_cond_destroy(&ahead->changed);
    }
    (void)pthread_mutex_destroy(&ahead->lock);
    free(ahead);
    return NULL;
}

void fh_ahead_free(fh_ahead *ahead)
{
    if (ahead == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&ahead->lock);
    ahead->is_over = true;
    (void)pthread_cond_signal(&ahead->changed);
    (void)pthread_mutex_unlock(&ahead->lock);
    (void)pthread_join(ahead->thread, NULL);
    (void)pthread_cond_destroy(&ahead->changed);
    (void)pthread_mutex_destroy(&ahead->lock);
    free(ahead);
}

void fh_ahead_ask(fh_ahead *ahead, uint8_t *to, size_t want)
{
    (void)pthread_mutex_lock(&ahead->lock);
    assert(!ahead->is_asked && want > 0);
    ahead->to = to;
    ahead->want = want;
    ahead->is_asked = true;
    ahead->is_done = false;
    (void)pthread_cond_signal(&ahead->changed);
    (void)pthread_mutex_unlock(&ahead->lock);
}

void fh_ahead_settle(fh_ahead *ahead)
{
    (void)pthread_mutex_lock(&ahead->lock);
    while (ahead->is_asked && !ahead->is_done) {
        (void)pthread_cond_wait(&ahead->changed, &ahead->lock);
    }
    (void)pthread_mutex_unlock(&ahead->lock);
}

bool fh_ahead_take(fh_ahead *ahead, fh_tape_status *status, size_t *len)
{
    fh_ahead_settle(ahead); /* nobody else asks */
    const bool is_asked = ahead->is_asked;
    if (is_asked) {
        *status = ahead->status;
        *len = ahead->len;
    }
    ahead->is_asked = false;
    return is_asked;
}
