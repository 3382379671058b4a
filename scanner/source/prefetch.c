#include "source/prefetch.h"

#include "source/thread.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef enum question { QUESTION_NONE = 0, QUESTION_ASKED, QUESTION_ANSWERED } question;

struct fh_prefetch {
    fh_tape *tape;
    fh_digest *digest;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below; while it is asked the thread has what is read */
    pthread_cond_t changed;
    question question;
    bool is_over;
    uint8_t *to;
    size_t max;
    size_t len;
    fh_tape_status status;
};

static void read_all(fh_prefetch *own)
{
    own->len = 0;
    do {
        size_t len = 0;
        own->status = own->tape->read(own->tape, &len, own->to + own->len, own->max - own->len);
        own->len += own->status == FH_TAPE_OK ? len : 0;
    } while (own->len < own->max && (own->status == FH_TAPE_OK || own->status == FH_TAPE_AGAIN));
}

static void *work(void *user)
{
    fh_prefetch *own = user;
    (void)pthread_mutex_lock(&own->lock);
    while (!own->is_over) {
        if (own->question != QUESTION_ASKED) {
            (void)pthread_cond_wait(&own->changed, &own->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&own->lock);
        fh_digest_settle(own->digest, 1);
        read_all(own);
        (void)pthread_mutex_lock(&own->lock);
        own->question = QUESTION_ANSWERED;
        (void)pthread_cond_signal(&own->changed);
    }
    (void)pthread_mutex_unlock(&own->lock);
    return NULL;
}

fh_prefetch *fh_prefetch_open(fh_tape *tape, fh_digest *digest)
{
    fh_prefetch *own = calloc(1, sizeof *own);
    if (own == NULL || pthread_mutex_init(&own->lock, NULL) != 0) {
        free(own);
        return NULL;
    }
    own->tape = tape;
    own->digest = digest;
    const bool has_condition = pthread_cond_init(&own->changed, NULL) == 0;
    if (has_condition && fh_thread_start(&own->thread, work, own)) {
        return own;
    }
    if (has_condition) {
        (void)pthread_cond_destroy(&own->changed);
    }
    (void)pthread_mutex_destroy(&own->lock);
    free(own);
    return NULL;
}

void fh_prefetch_free(fh_prefetch *prefetch)
{
    if (prefetch == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&prefetch->lock);
    prefetch->is_over = true;
    (void)pthread_cond_signal(&prefetch->changed);
    (void)pthread_mutex_unlock(&prefetch->lock);
    (void)pthread_join(prefetch->thread, NULL);
    (void)pthread_cond_destroy(&prefetch->changed);
    (void)pthread_mutex_destroy(&prefetch->lock);
    free(prefetch);
}

void fh_prefetch_ask(fh_prefetch *prefetch, uint8_t *to, size_t max)
{
    (void)pthread_mutex_lock(&prefetch->lock);
    assert(prefetch->question == QUESTION_NONE);
    prefetch->to = to;
    prefetch->max = max;
    prefetch->question = QUESTION_ASKED;
    (void)pthread_cond_signal(&prefetch->changed);
    (void)pthread_mutex_unlock(&prefetch->lock);
}

void fh_prefetch_wait(fh_prefetch *prefetch)
{
    (void)pthread_mutex_lock(&prefetch->lock);
    while (prefetch->question == QUESTION_ASKED) {
        (void)pthread_cond_wait(&prefetch->changed, &prefetch->lock);
    }
    (void)pthread_mutex_unlock(&prefetch->lock);
}

bool fh_prefetch_take(fh_prefetch *prefetch, fh_tape_status *status, size_t *len)
{
    (void)pthread_mutex_lock(&prefetch->lock);
    const bool was_asked = prefetch->question != QUESTION_NONE;
    (void)pthread_mutex_unlock(&prefetch->lock);
    fh_prefetch_wait(prefetch);
    (void)pthread_mutex_lock(&prefetch->lock);
    prefetch->question = QUESTION_NONE;
    *status = prefetch->status;
    *len = prefetch->len;
    (void)pthread_mutex_unlock(&prefetch->lock);
    return was_asked;
}
