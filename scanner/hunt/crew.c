#include "hunt/crew.h"

#include "source/thread.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct hand {
    fh_crew *crew;
    pthread_t thread;
    void *self;
} hand;

struct fh_crew {
    fh_crew_staff staff;
    hand *hands;
    unsigned num_hands;
    pthread_mutex_t lock; /* of all below, and of the states of all jobs */
    pthread_cond_t given; /* a job waits, or no more will */
    pthread_cond_t done;
    unsigned most; /* threads that may be started */
    unsigned num_free;
    unsigned num_waiting;
    fh_crew_job *first; /* of those that wait, in the order in which they were given */
    fh_crew_job *last;
    bool is_over;
};

fh_crew *fh_crew_begin(unsigned num, const fh_crew_staff *staff)
{
    assert(num > 0);
    fh_crew *crew = calloc(1, sizeof *crew);
    hand *hands = calloc(num, sizeof *hands);
    if (crew == NULL || hands == NULL || pthread_mutex_init(&crew->lock, NULL) != 0) {
        free(crew);
        free(hands);
        return NULL;
    }
    (void)pthread_cond_init(&crew->given, NULL);
    (void)pthread_cond_init(&crew->done, NULL);
    crew->staff = *staff;
    crew->hands = hands;
    crew->most = num;
    return crew;
}

/* Takes a job out of the list. With the lock held. */
static void take_out(fh_crew *crew, fh_crew_job *job)
{
    fh_crew_job *before = NULL;
    fh_crew_job *at = crew->first;
    while (at != job) { /* there are never more than the givers may have away at once */
        before = at;
        at = at->next;
    }
    *(before == NULL ? &crew->first : &before->next) = job->next;
    crew->last = crew->last == job ? before : crew->last;
    job->next = NULL;
    crew->num_waiting--;
}

/* The next job; NULL: there will be none. With the lock held. */
static fh_crew_job *take(fh_crew *crew)
{
    crew->num_free++;
    while (crew->first == NULL && !crew->is_over) {
        (void)pthread_cond_wait(&crew->given, &crew->lock);
    }
    crew->num_free--;
    fh_crew_job *job = crew->first;
    if (job != NULL) {
        take_out(crew, job);
        job->state = FH_CREW_TAKEN;
    }
    return job;
}

static void *work(void *user)
{
    const hand *own = user;
    fh_crew *crew = own->crew;
    (void)pthread_mutex_lock(&crew->lock);
    for (fh_crew_job *job = take(crew); job != NULL; job = take(crew)) {
        (void)pthread_mutex_unlock(&crew->lock);
        job->work(job, own->self);
        (void)pthread_mutex_lock(&crew->lock);
        job->state = FH_CREW_DONE;
        (void)pthread_cond_broadcast(&crew->done);
    }
    (void)pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* One thread more, which begins with a job that waits. Where the system has none left, those that
 * run must do. With the lock held. */
static void start(fh_crew *crew)
{
    hand *own = &crew->hands[crew->num_hands];
    own->crew = crew;
    own->self = crew->staff.hire(crew->staff.user);
    if (own->self != NULL && fh_thread_start(&own->thread, work, own)) {
        crew->num_hands++;
        return;
    }
    if (own->self != NULL) {
        crew->staff.dismiss(crew->staff.user, own->self);
    }
    crew->most = crew->num_hands;
}

void fh_crew_give(fh_crew *crew, fh_crew_job *job)
{
    (void)pthread_mutex_lock(&crew->lock);
    job->state = FH_CREW_WAITS;
    job->next = NULL;
    *(crew->first == NULL ? &crew->first : &crew->last->next) = job;
    crew->last = job;
    crew->num_waiting++;
    if (crew->num_waiting > crew->num_free && crew->num_hands < crew->most) {
        start(crew);
    } else {
        (void)pthread_cond_signal(&crew->given);
    }
    (void)pthread_mutex_unlock(&crew->lock);
}

bool fh_crew_is_done(fh_crew *crew, const fh_crew_job *job)
{
    (void)pthread_mutex_lock(&crew->lock);
    const bool is_done = job->state == FH_CREW_DONE;
    (void)pthread_mutex_unlock(&crew->lock);
    return is_done;
}

void fh_crew_wait(fh_crew *crew, const fh_crew_job *job)
{
    (void)pthread_mutex_lock(&crew->lock);
    assert(job->state == FH_CREW_TAKEN || job->state == FH_CREW_DONE);
    while (job->state != FH_CREW_DONE) {
        (void)pthread_cond_wait(&crew->done, &crew->lock);
    }
    (void)pthread_mutex_unlock(&crew->lock);
}

bool fh_crew_take_back(fh_crew *crew, fh_crew_job *job)
{
    (void)pthread_mutex_lock(&crew->lock);
    const bool is_back = job->state == FH_CREW_WAITS;
    if (is_back) {
        take_out(crew, job);
        job->state = FH_CREW_AWAY;
    }
    (void)pthread_mutex_unlock(&crew->lock);
    return is_back;
}

void fh_crew_end(fh_crew *crew)
{
    if (crew == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&crew->lock);
    assert(crew->first == NULL);
    crew->is_over = true;
    (void)pthread_cond_broadcast(&crew->given);
    (void)pthread_mutex_unlock(&crew->lock);
    for (unsigned i = 0; i < crew->num_hands; i++) {
        (void)pthread_join(crew->hands[i].thread, NULL);
        crew->staff.dismiss(crew->staff.user, crew->hands[i].self);
    }
    (void)pthread_cond_destroy(&crew->given);
    (void)pthread_cond_destroy(&crew->done);
    (void)pthread_mutex_destroy(&crew->lock);
    free(crew->hands);
    free(crew);
}
