#include "source/prefetch.h"

#include "source/thread.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct question {
    uint8_t *to;
    size_t max;
    size_t len;
    int64_t off;
    fh_tape_status status;
    bool is_looked_at; /* or was */
} question;

struct fh_prefetch {
    fh_tape *tape;
    fh_digest *digest;
    const fh_lookout *lookout;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below; the thread has the first one that is not answered */
    pthread_cond_t changed;
    question questions[FH_PREFETCH_MOST]; /* in turns */
    unsigned first;                       /* of those that are not taken */
    unsigned num_asked;
    unsigned num_answered; /* of those that are asked */
    fh_tape_status end;    /* what ended the reading, FH_TAPE_OK if nothing did */
    bool is_over;
    const question *looks_at; /* what the thread looks at, or NULL */
};

static void read_all(fh_prefetch *own, question *at)
{
    at->len = 0;
    at->status = own->end;
    while (at->len < at->max && (at->status == FH_TAPE_OK || at->status == FH_TAPE_AGAIN)) {
        size_t len = 0;
        at->status = own->tape->read(own->tape, &len, at->to + at->len, at->max - at->len);
        at->len += at->status == FH_TAPE_OK ? len : 0;
    }
}

static question *question_at(fh_prefetch *own, unsigned num)
{
    return &own->questions[(own->first + num) % FH_PREFETCH_MOST];
}

/* The last of those that were read and not looked at: it will be wanted last. */
static question *worth_a_look(fh_prefetch *own)
{
    for (unsigned num = own->num_answered; own->lookout != NULL && num > 0; num--) {
        question *at = question_at(own, num - 1);
        if (!at->is_looked_at && at->len > 0) {
            return at;
        }
    }
    return NULL;
}

static void answer(fh_prefetch *own, question *at)
{
    (void)pthread_mutex_unlock(&own->lock);
    fh_digest_settle(own->digest, 1);
    read_all(own, at);
    (void)pthread_mutex_lock(&own->lock);
    own->end = at->status == FH_TAPE_AGAIN ? FH_TAPE_OK : at->status;
    own->num_answered++;
}

static void look(fh_prefetch *own, question *at)
{
    const fh_lookout *lookout = own->lookout;
    at->is_looked_at = true;
    own->looks_at = at;
    (void)pthread_mutex_unlock(&own->lock);
    lookout->look(lookout->user, at->off, at->to, at->len);
    (void)pthread_mutex_lock(&own->lock);
    own->looks_at = NULL;
}

static void *work(void *user)
{
    fh_prefetch *own = user;
    (void)pthread_mutex_lock(&own->lock);
    while (!own->is_over) {
        question *seen = worth_a_look(own);
        if (own->num_answered < own->num_asked) {
            answer(own, question_at(own, own->num_answered));
        } else if (seen != NULL) {
            look(own, seen);
        } else {
            (void)pthread_cond_wait(&own->changed, &own->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&own->lock); /* whoever waits would wait for it once more */
        (void)pthread_cond_signal(&own->changed);
        (void)pthread_mutex_lock(&own->lock);
    }
    (void)pthread_mutex_unlock(&own->lock);
    return NULL;
}

fh_prefetch *fh_prefetch_open(fh_tape *tape, fh_digest *digest, const fh_lookout *lookout)
{
    fh_prefetch *own = calloc(1, sizeof *own);
    if (own == NULL || pthread_mutex_init(&own->lock, NULL) != 0) {
        free(own);
        return NULL;
    }
    own->tape = tape;
    own->digest = digest;
    own->lookout = lookout != NULL && lookout->prepare(lookout->user) ? lookout : NULL;
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

void fh_prefetch_ask(fh_prefetch *prefetch, int64_t off, uint8_t *to, size_t max)
{
    (void)pthread_mutex_lock(&prefetch->lock);
    assert(prefetch->num_asked < FH_PREFETCH_MOST);
    *question_at(prefetch, prefetch->num_asked) = (question){.off = off, .to = to, .max = max};
    prefetch->num_asked++;
    (void)pthread_mutex_unlock(&prefetch->lock);
    (void)pthread_cond_signal(&prefetch->changed);
}

/* None but the caller's thread changes it. */
unsigned fh_prefetch_num(const fh_prefetch *prefetch)
{
    return prefetch->num_asked;
}

static void wait_for(fh_prefetch *prefetch, unsigned num)
{
    while (prefetch->num_answered < num) {
        (void)pthread_cond_wait(&prefetch->changed, &prefetch->lock);
    }
}

/* NULL: at anything. */
static void wait_for_look(fh_prefetch *prefetch, const question *at)
{
    while (prefetch->looks_at != NULL && (at == NULL || prefetch->looks_at == at)) {
        (void)pthread_cond_wait(&prefetch->changed, &prefetch->lock);
    }
}

bool fh_prefetch_take(fh_prefetch *prefetch, fh_tape_status *status, size_t *len)
{
    if (prefetch->num_asked == 0) {
        return false;
    }
    (void)pthread_mutex_lock(&prefetch->lock);
    wait_for(prefetch, 1);
    const question *at = question_at(prefetch, 0);
    wait_for_look(prefetch, at);
    *status = at->status;
    *len = at->len;
    prefetch->first = (prefetch->first + 1) % FH_PREFETCH_MOST;
    prefetch->num_asked--;
    prefetch->num_answered--;
    (void)pthread_mutex_unlock(&prefetch->lock);
    return true;
}

void fh_prefetch_wait(fh_prefetch *prefetch)
{
    (void)pthread_mutex_lock(&prefetch->lock);
    wait_for(prefetch, prefetch->num_asked);
    (void)pthread_mutex_unlock(&prefetch->lock);
}

void fh_prefetch_forget(fh_prefetch *prefetch)
{
    (void)pthread_mutex_lock(&prefetch->lock);
    wait_for(prefetch, prefetch->num_asked);
    wait_for_look(prefetch, NULL);
    if (prefetch->lookout != NULL) {
        prefetch->lookout->forget(prefetch->lookout->user);
    }
    prefetch->num_asked = 0;
    prefetch->num_answered = 0;
    prefetch->end = FH_TAPE_OK;
    (void)pthread_mutex_unlock(&prefetch->lock);
}

void fh_prefetch_look_no_more(fh_prefetch *prefetch)
{
    (void)pthread_mutex_lock(&prefetch->lock);
    wait_for_look(prefetch, NULL);
    prefetch->lookout = NULL;
    (void)pthread_mutex_unlock(&prefetch->lock);
}
