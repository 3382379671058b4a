#include "ring.h"

#include "source/thread.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* Milliseconds between two calls of idle. */
#define IDLE_MS 100

typedef enum slot_state { SLOT_WAITS, SLOT_TAKEN, SLOT_DONE } slot_state;

typedef struct slot {
    slot_state state;
    bool is_worked;
    void *item;
} slot;

typedef struct worker {
    fh_ring *ring;
    pthread_t thread;
    void *self; /* the caller's */
} worker;

struct fh_ring {
    fh_ring_sink sink;
    bool is_over; /* stopped or interrupted; only the caller's thread asks */

    worker *workers;
    unsigned num_workers; /* that may be started; 0: none is */
    unsigned num_started;

    pthread_mutex_t lock;  /* of all below */
    pthread_cond_t filled; /* a slot waits, or no more will */
    pthread_cond_t worked; /* a slot is done, or a worker has left */
    unsigned num_alive;
    bool is_closed; /* nothing more comes, or nothing more is to be begun */
    slot *slots;
    size_t num_slots;
    uint64_t first; /* not told yet; slots are counted from 0 and lie round in the ring */
    uint64_t next;  /* not taken yet */
    uint64_t end;   /* not filled yet */
};

unsigned fh_ring_default(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    const int num = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    if (num < 1) {
        return 1;
    }
    return num > (int)FH_MAX_JOBS ? FH_MAX_JOBS : (unsigned)num;
}

fh_exit fh_take_jobs(const char *command, uint32_t *out, const char *value)
{
    return fh_parse_u32(out, value) && *out > 0 && *out <= FH_MAX_JOBS
               ? FH_EXIT_OK
               : fh_usage_error(command, "--jobs is a number from 1 to %u, not '%s'", FH_MAX_JOBS,
                                fh_safe_path(value));
}

static slot *slot_at(const fh_ring *ring, uint64_t index)
{
    return &ring->slots[index % ring->num_slots];
}

/* ---- in the workers ---- */

/* Takes the next slot that waits; NULL: there will be none. With the lock held. */
static slot *take(fh_ring *ring)
{
    for (;;) {
        ring->next = ring->next < ring->first ? ring->first : ring->next;
        while (ring->next < ring->end && slot_at(ring, ring->next)->state != SLOT_WAITS) {
            ring->next++;
        }
        if (fh_interrupted(NULL)) {
            return NULL;
        }
        if (ring->next < ring->end) {
            slot *taken = slot_at(ring, ring->next++);
            taken->state = SLOT_TAKEN;
            return taken;
        }
        if (ring->is_closed) {
            return NULL;
        }
        (void)pthread_cond_wait(&ring->filled, &ring->lock);
    }
}

static void *work(void *user)
{
    worker *self = user;
    fh_ring *ring = self->ring;
    (void)pthread_mutex_lock(&ring->lock);
    for (slot *taken = take(ring); taken != NULL; taken = take(ring)) {
        (void)pthread_mutex_unlock(&ring->lock);
        ring->sink.work(self->self, taken->item);
        (void)pthread_mutex_lock(&ring->lock);
        taken->is_worked = true;
        taken->state = SLOT_DONE;
        (void)pthread_cond_signal(&ring->worked);
    }
    ring->num_alive--;
    (void)pthread_cond_signal(&ring->worked);
    (void)pthread_cond_broadcast(&ring->filled); /* others may wait there for what comes no more */
    (void)pthread_mutex_unlock(&ring->lock);
    return NULL;
}

/* Starts one worker more. Where the system has no thread left, those that run must do. */
static void start_worker(fh_ring *ring)
{
    worker *self = &ring->workers[ring->num_started];
    self->ring = ring;
    self->self = ring->sink.hire(ring->sink.user);
    (void)pthread_mutex_lock(&ring->lock);
    ring->num_alive++;
    (void)pthread_mutex_unlock(&ring->lock);
    if (self->self != NULL && fh_thread_start(&self->thread, work, self)) {
        ring->num_started++;
        return;
    }
    (void)pthread_mutex_lock(&ring->lock);
    ring->num_alive--;
    (void)pthread_mutex_unlock(&ring->lock);
    if (self->self != NULL) {
        ring->sink.dismiss(ring->sink.user, self->self);
    }
    ring->num_workers = ring->num_started;
}

/* ---- in the caller's thread ---- */

static bool make_conditions(fh_ring *ring)
{
    pthread_condattr_t clock;
    if (pthread_mutex_init(&ring->lock, NULL) != 0) {
        return false;
    }
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&ring->filled, NULL);
    (void)pthread_cond_init(&ring->worked, &clock);
    (void)pthread_condattr_destroy(&clock);
    return true;
}

fh_ring *fh_ring_begin(unsigned num, const fh_ring_sink *sink)
{
    assert(num > 0 && num <= FH_MAX_JOBS);
    fh_ring *ring = calloc(1, sizeof *ring);
    if (ring == NULL) {
        return NULL;
    }
    ring->sink = *sink;
    ring->num_workers = num > 1 ? num : 0;
    ring->num_slots = (size_t)num * FH_JOBS_AHEAD;
    ring->workers = calloc(num, sizeof *ring->workers);
    ring->slots = calloc(ring->num_slots, sizeof *ring->slots);
    if (ring->workers == NULL || ring->slots == NULL || !make_conditions(ring)) {
        free(ring->workers);
        free(ring->slots);
        free(ring);
        return NULL;
    }
    return ring;
}

void fh_ring_stop(fh_ring *ring)
{
    ring->is_over = true;
}

static void drop(fh_ring *ring, slot *told)
{
    ring->sink.drop(ring->sink.user, told->item);
    *told = (slot){0};
}

/* Waits until something is done, or for a while. With the lock held. */
static void wait_a_while(fh_ring *ring, slot *oldest)
{
    struct timespec until;
    if (ring->sink.idle == NULL) {
        (void)pthread_cond_wait(&ring->worked, &ring->lock);
        return;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += IDLE_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    if (pthread_cond_timedwait(&ring->worked, &ring->lock, &until) != 0) {
        (void)pthread_mutex_unlock(&ring->lock);
        ring->sink.idle(ring->sink.user, oldest->item);
        (void)pthread_mutex_lock(&ring->lock);
    }
}

/* Tells what is done until at most `most` slots are not told, and waits for that if need be. */
static void tell_done(fh_ring *ring, size_t most)
{
    (void)pthread_mutex_lock(&ring->lock);
    while (ring->first < ring->end && !ring->is_over) {
        slot *oldest = slot_at(ring, ring->first);
        if (oldest->state == SLOT_DONE) {
            ring->first++; /* no worker looks at it from here on */
            (void)pthread_mutex_unlock(&ring->lock);
            ring->sink.tell(ring->sink.user, oldest->item, oldest->is_worked);
            drop(ring, oldest);
            (void)pthread_mutex_lock(&ring->lock);
        } else if (ring->end - ring->first <= most) {
            break;
        } else if (oldest->state == SLOT_WAITS && ring->num_started == 0 && !fh_interrupted(NULL)) {
            oldest->state = SLOT_DONE; /* for a single item no worker is started */
        } else if (oldest->state == SLOT_WAITS && ring->num_alive == 0) {
            ring->is_over = true; /* interrupted: nobody will take it */
        } else {
            wait_a_while(ring, oldest);
        }
    }
    (void)pthread_mutex_unlock(&ring->lock);
}

static void hand_over(fh_ring *ring, void *item, slot_state state)
{
    (void)pthread_mutex_lock(&ring->lock);
    *slot_at(ring, ring->end) = (slot){.state = state, .item = item};
    ring->end++;
    if (state == SLOT_WAITS) {
        (void)pthread_cond_signal(&ring->filled);
    }
    (void)pthread_mutex_unlock(&ring->lock);
    tell_done(ring, ring->num_slots);
}

bool fh_ring_put(fh_ring *ring, void *item, bool is_for_workers)
{
    tell_done(ring, ring->num_slots - 1);
    if (ring->is_over) {
        ring->sink.drop(ring->sink.user, item);
        return false;
    }
    if (ring->num_started < ring->num_workers && ring->first < ring->end) {
        start_worker(ring);
    }
    hand_over(ring, item, is_for_workers && ring->num_workers > 0 ? SLOT_WAITS : SLOT_DONE);
    return !ring->is_over && !fh_interrupted(NULL);
}

void fh_ring_settle(fh_ring *ring)
{
    tell_done(ring, 0);
}

void fh_ring_each(fh_ring *ring, void (*call)(void *user, void *worker))
{
    (void)pthread_mutex_lock(&ring->lock);
    for (unsigned i = 0; i < ring->num_started; i++) {
        call(ring->sink.user, ring->workers[i].self);
    }
    (void)pthread_mutex_unlock(&ring->lock);
}

/* What no worker has begun is not begun any more once it is over. */
static void end_workers(fh_ring *ring)
{
    (void)pthread_mutex_lock(&ring->lock);
    ring->is_closed = true;
    ring->next = ring->is_over ? ring->end : ring->next;
    (void)pthread_cond_broadcast(&ring->filled);
    (void)pthread_mutex_unlock(&ring->lock);
    for (unsigned i = 0; i < ring->num_started; i++) {
        (void)pthread_join(ring->workers[i].thread, NULL);
        ring->sink.dismiss(ring->sink.user, ring->workers[i].self);
    }
}

bool fh_ring_end(fh_ring *ring)
{
    tell_done(ring, 0);
    end_workers(ring);
    for (uint64_t i = ring->first; i < ring->end; i++) {
        drop(ring, slot_at(ring, i));
    }
    const bool is_whole = !ring->is_over && !fh_interrupted(NULL);
    (void)pthread_cond_destroy(&ring->worked);
    (void)pthread_cond_destroy(&ring->filled);
    (void)pthread_mutex_destroy(&ring->lock);
    free(ring->workers);
    free(ring->slots);
    free(ring);
    return is_whole;
}
