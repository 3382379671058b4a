#include "gate/jobs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct job {
    char *path;      /* owned */
    char *why;       /* owned; of an error of the walk, NULL: a file */
    bool has_result; /* false, when told: no memory */
    fh_result result;
} job;

struct fh_jobs {
    fh_jobs_sink sink;
    fh_judge *judge; /* of the caller's thread */
    fh_ring *ring;   /* owned */
};

static void *hire(void *user)
{
    fh_judge *judge = malloc(sizeof *judge);
    if (judge != NULL) {
        *judge = fh_judge_share(((fh_jobs *)user)->judge);
    }
    return judge;
}

static void work(void *worker, void *item)
{
    job *todo = item;
    todo->has_result = fh_judge_file(&todo->result, worker, todo->path);
}

static void dismiss(void *user, void *worker)
{
    fh_judge *judge = worker;
    ((fh_jobs *)user)->judge->beside.is_used |= judge->beside.is_used;
    fh_judge_free(judge);
    free(judge);
}

static void drop(void *user, void *item)
{
    job *told = item;
    (void)user;
    free(told->path);
    free(told->why);
    if (told->has_result) {
        fh_result_free(&told->result);
    }
    free(told);
}

static void tell(void *user, void *item, bool is_worked)
{
    fh_jobs *jobs = user;
    job *done = item;
    if (done->why != NULL) {
        jobs->sink.error(jobs->sink.user, done->path, done->why);
        return;
    }
    if (!is_worked) {
        done->has_result = fh_judge_file(&done->result, jobs->judge, done->path);
    }
    if (done->has_result) {
        jobs->sink.tell(jobs->sink.user, &done->result);
        done->has_result = false;
    } else {
        jobs->sink.no_memory(jobs->sink.user);
        fh_ring_stop(jobs->ring);
    }
}

fh_jobs *fh_jobs_begin(fh_judge *judge, unsigned num, const fh_jobs_sink *sink)
{
    fh_jobs *jobs = calloc(1, sizeof *jobs);
    if (jobs == NULL) {
        return NULL;
    }
    const fh_ring_sink ring_sink = {
        .user = jobs, .hire = hire, .work = work, .dismiss = dismiss, .tell = tell, .drop = drop};
    jobs->sink = *sink;
    jobs->judge = judge;
    jobs->ring = fh_ring_begin(num, &ring_sink);
    if (jobs->ring == NULL) {
        free(jobs);
        return NULL;
    }
    return jobs;
}

static bool is_for_workers(const char *path)
{
    struct stat file;
    return strcmp(path, "-") != 0 && stat(path, &file) == 0 && S_ISREG(file.st_mode);
}

static bool put(fh_jobs *jobs, const char *path, const char *why)
{
    job *todo = calloc(1, sizeof *todo);
    if (todo != NULL) {
        todo->path = strdup(path);
        todo->why = why == NULL ? NULL : strdup(why);
    }
    if (todo == NULL || todo->path == NULL || (why != NULL && todo->why == NULL)) {
        if (todo != NULL) {
            drop(NULL, todo);
        }
        jobs->sink.no_memory(jobs->sink.user);
        fh_ring_stop(jobs->ring);
        return false;
    }
    return fh_ring_put(jobs->ring, todo, why == NULL && is_for_workers(path));
}

bool fh_jobs_file(fh_jobs *jobs, const char *path)
{
    return put(jobs, path, NULL);
}

bool fh_jobs_error(fh_jobs *jobs, const char *path, const char *why)
{
    return put(jobs, path, why);
}

void fh_jobs_settle(fh_jobs *jobs)
{
    fh_ring_settle(jobs->ring);
}

static void follow(void *user, void *worker)
{
    fh_jobs *jobs = user;
    fh_judge *judge = worker;
    jobs->judge->beside.is_used |= judge->beside.is_used;
    fh_judge_follow(judge, jobs->judge);
}

void fh_jobs_follow(fh_jobs *jobs)
{
    fh_ring_each(jobs->ring, follow);
}

bool fh_jobs_end(fh_jobs *jobs)
{
    const bool is_whole = fh_ring_end(jobs->ring);
    free(jobs);
    return is_whole;
}
