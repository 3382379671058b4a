#include "gate/jobs.h"

#include "gate/limits.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum slot_state { SLOT_WAITS, SLOT_TAKEN, SLOT_DONE } slot_state;

typedef struct slot {
    slot_state state;
    char *path;      /* owned */
    char *why;       /* owned; of an error of the walk, NULL: a file */
    bool has_result; /* false, when done: no memory */
    fh_result result;
} slot;

typedef struct worker {
    fh_jobs *jobs;
    pthread_t thread;
    fh_judge judge;
} worker;

struct fh_jobs {
    fh_jobs_sink sink;
    fh_judge *judge; /* of the caller's thread */
    bool is_over;    /* interrupted, or no memory; only the caller's thread asks */

    worker *workers;
    unsigned num_workers; /* that may be started; 0: none is */
    unsigned num_started;

    pthread_mutex_t lock;  /* of all below */
    pthread_cond_t filled; /* a slot waits, or no more will */
    pthread_cond_t judged; /* a slot is done, or a worker has left */
    unsigned num_alive;
    bool is_closed; /* nothing more comes */
    slot *slots;
    size_t num_slots;
    uint64_t first; /* not told yet; slots are counted from 0 and lie round in the ring */
    uint64_t next;  /* not taken yet */
    uint64_t end;   /* not filled yet */
};

unsigned fh_jobs_default(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    const int num = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    if (num < 1) {
        return 1;
    }
    return num > (int)FH_MAX_JOBS ? FH_MAX_JOBS : (unsigned)num;
}

static slot *slot_at(const fh_jobs *jobs, uint64_t index)
{
    return &jobs->slots[index % jobs->num_slots];
}

/* ---- in the workers ---- */

/* Takes the next slot that waits; NULL: there will be none. With the lock held. */
static slot *take(fh_jobs *jobs)
{
    for (;;) {
        jobs->next = jobs->next < jobs->first ? jobs->first : jobs->next;
        while (jobs->next < jobs->end && slot_at(jobs, jobs->next)->state != SLOT_WAITS) {
            jobs->next++;
        }
        if (fh_interrupted(NULL)) {
            return NULL;
        }
        if (jobs->next < jobs->end) {
            slot *taken = slot_at(jobs, jobs->next++);
            taken->state = SLOT_TAKEN;
            return taken;
        }
        if (jobs->is_closed) {
            return NULL;
        }
        (void)pthread_cond_wait(&jobs->filled, &jobs->lock);
    }
}

static void *work(void *user)
{
    worker *self = user;
    fh_jobs *jobs = self->jobs;
    (void)pthread_mutex_lock(&jobs->lock);
    for (slot *taken = take(jobs); taken != NULL; taken = take(jobs)) {
        (void)pthread_mutex_unlock(&jobs->lock);
        taken->has_result = fh_judge_file(&taken->result, &self->judge, taken->path);
        (void)pthread_mutex_lock(&jobs->lock);
        taken->state = SLOT_DONE;
        (void)pthread_cond_signal(&jobs->judged);
    }
    jobs->num_alive--;
    (void)pthread_cond_signal(&jobs->judged);
    (void)pthread_cond_broadcast(&jobs->filled); /* others may wait there for what comes no more */
    (void)pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

/* Signals are for the caller's thread, whose reading they interrupt. */
static bool start_thread(worker *self)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) {
        return false;
    }
    const bool is_started = pthread_create(&self->thread, NULL, work, self) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

/* Starts one worker more. Where the system has no thread left, those that run must do. */
static void start_worker(fh_jobs *jobs)
{
    worker *self = &jobs->workers[jobs->num_started];
    self->jobs = jobs;
    self->judge = fh_judge_share(jobs->judge);
    (void)pthread_mutex_lock(&jobs->lock);
    jobs->num_alive++;
    (void)pthread_mutex_unlock(&jobs->lock);
    if (start_thread(self)) {
        jobs->num_started++;
        return;
    }
    (void)pthread_mutex_lock(&jobs->lock);
    jobs->num_alive--;
    (void)pthread_mutex_unlock(&jobs->lock);
    jobs->num_workers = jobs->num_started;
}

/* ---- in the caller's thread ---- */

fh_jobs *fh_jobs_begin(fh_judge *judge, unsigned num, const fh_jobs_sink *sink)
{
    assert(num > 0 && num <= FH_MAX_JOBS);
    fh_jobs *jobs = calloc(1, sizeof *jobs);
    if (jobs == NULL) {
        return NULL;
    }
    jobs->sink = *sink;
    jobs->judge = judge;
    jobs->num_workers = num > 1 ? num : 0;
    jobs->num_slots = (size_t)num * FH_JOBS_AHEAD;
    jobs->workers = calloc(num, sizeof *jobs->workers);
    jobs->slots = calloc(jobs->num_slots, sizeof *jobs->slots);
    if (jobs->workers == NULL || jobs->slots == NULL ||
        pthread_mutex_init(&jobs->lock, NULL) != 0) {
        free(jobs->workers);
        free(jobs->slots);
        free(jobs);
        return NULL;
    }
    (void)pthread_cond_init(&jobs->filled, NULL);
    (void)pthread_cond_init(&jobs->judged, NULL);
    return jobs;
}

static void forget(slot *told)
{
    free(told->path);
    free(told->why);
    if (told->has_result) {
        fh_result_free(&told->result);
    }
    *told = (slot){0};
}

static void tell(fh_jobs *jobs, slot *done)
{
    if (done->why != NULL) {
        jobs->sink.error(jobs->sink.user, done->path, done->why);
    } else if (done->has_result) {
        jobs->sink.tell(jobs->sink.user, &done->result);
        done->has_result = false;
    } else {
        jobs->sink.no_memory(jobs->sink.user);
        jobs->is_over = true;
    }
    forget(done);
}

/* For a single file no worker is started. With the lock held. */
static void judge_here(fh_jobs *jobs, slot *waiting)
{
    waiting->state = SLOT_TAKEN;
    (void)pthread_mutex_unlock(&jobs->lock);
    waiting->has_result = fh_judge_file(&waiting->result, jobs->judge, waiting->path);
    (void)pthread_mutex_lock(&jobs->lock);
    waiting->state = SLOT_DONE;
}

/* Tells what is done until at most `most` slots are not told, and waits for that if need be. */
static void tell_done(fh_jobs *jobs, size_t most)
{
    (void)pthread_mutex_lock(&jobs->lock);
    while (jobs->first < jobs->end && !jobs->is_over) {
        slot *oldest = slot_at(jobs, jobs->first);
        if (oldest->state == SLOT_DONE) {
            jobs->first++; /* no worker looks at it from here on */
            (void)pthread_mutex_unlock(&jobs->lock);
            tell(jobs, oldest);
            (void)pthread_mutex_lock(&jobs->lock);
        } else if (jobs->end - jobs->first <= most) {
            break;
        } else if (oldest->state == SLOT_WAITS && jobs->num_started == 0 && !fh_interrupted(NULL)) {
            judge_here(jobs, oldest);
        } else if (oldest->state == SLOT_WAITS && jobs->num_alive == 0) {
            jobs->is_over = true; /* interrupted: nobody will take it */
        } else {
            (void)pthread_cond_wait(&jobs->judged, &jobs->lock);
        }
    }
    (void)pthread_mutex_unlock(&jobs->lock);
}

/* The slot that is filled next; no worker looks at it until it is handed over. NULL: it is over. */
static slot *next_slot(fh_jobs *jobs, const char *path, const char *why)
{
    tell_done(jobs, jobs->num_slots - 1);
    if (jobs->is_over) {
        return NULL;
    }
    slot *filled = slot_at(jobs, jobs->end);
    *filled = (slot){.path = strdup(path), .why = why == NULL ? NULL : strdup(why)};
    if (filled->path == NULL || (why != NULL && filled->why == NULL)) {
        forget(filled);
        jobs->sink.no_memory(jobs->sink.user);
        jobs->is_over = true;
        return NULL;
    }
    return filled;
}

static void hand_over(fh_jobs *jobs, slot *filled, slot_state state)
{
    (void)pthread_mutex_lock(&jobs->lock);
    filled->state = state;
    jobs->end++;
    if (state == SLOT_WAITS) {
        (void)pthread_cond_signal(&jobs->filled);
    }
    (void)pthread_mutex_unlock(&jobs->lock);
    tell_done(jobs, jobs->num_slots);
}

static bool is_for_workers(const char *path)
{
    struct stat file;
    return strcmp(path, "-") != 0 && stat(path, &file) == 0 && S_ISREG(file.st_mode);
}

bool fh_jobs_file(fh_jobs *jobs, const char *path)
{
    slot *filled = next_slot(jobs, path, NULL);
    if (filled == NULL) {
        return false;
    }
    if (jobs->num_started < jobs->num_workers && jobs->first < jobs->end) {
        start_worker(jobs);
    }
    if (jobs->num_workers > 0 && is_for_workers(path)) {
        hand_over(jobs, filled, SLOT_WAITS);
    } else {
        filled->has_result = fh_judge_file(&filled->result, jobs->judge, path);
        hand_over(jobs, filled, SLOT_DONE);
    }
    return !jobs->is_over && !fh_interrupted(NULL);
}

bool fh_jobs_error(fh_jobs *jobs, const char *path, const char *why)
{
    slot *filled = next_slot(jobs, path, why);
    if (filled != NULL) {
        hand_over(jobs, filled, SLOT_DONE);
    }
    return !jobs->is_over;
}

void fh_jobs_settle(fh_jobs *jobs)
{
    tell_done(jobs, 0);
}

void fh_jobs_follow(fh_jobs *jobs)
{
    (void)pthread_mutex_lock(&jobs->lock);
    for (unsigned i = 0; i < jobs->num_started; i++) {
        jobs->judge->beside.is_used |= jobs->workers[i].judge.beside.is_used;
        fh_judge_follow(&jobs->workers[i].judge, jobs->judge);
    }
    (void)pthread_mutex_unlock(&jobs->lock);
}

static void end_workers(fh_jobs *jobs)
{
    (void)pthread_mutex_lock(&jobs->lock);
    jobs->is_closed = true;
    (void)pthread_cond_broadcast(&jobs->filled);
    (void)pthread_mutex_unlock(&jobs->lock);
    for (unsigned i = 0; i < jobs->num_started; i++) {
        (void)pthread_join(jobs->workers[i].thread, NULL);
        jobs->judge->beside.is_used |= jobs->workers[i].judge.beside.is_used;
        fh_judge_free(&jobs->workers[i].judge);
    }
}

bool fh_jobs_end(fh_jobs *jobs)
{
    tell_done(jobs, 0);
    end_workers(jobs);
    for (uint64_t i = jobs->first; i < jobs->end; i++) {
        forget(slot_at(jobs, i));
    }
    const bool is_whole = !jobs->is_over && !fh_interrupted(NULL);
    (void)pthread_cond_destroy(&jobs->judged);
    (void)pthread_cond_destroy(&jobs->filled);
    (void)pthread_mutex_destroy(&jobs->lock);
    free(jobs->workers);
    free(jobs->slots);
    free(jobs);
    return is_whole;
}
