#include "source/digest.h"

#include "source/thread.h"

#include <assert.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct piece {
    const uint8_t *bytes;
    size_t len;
} piece;

struct fh_digest {
    SHA256_CTX context; /* the helper's, while pieces wait */
    bool is_helped;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    piece waiting[FH_DIGEST_MOST]; /* the first one is being hashed */
    unsigned num_waiting;
    bool has_failed;
    bool is_over;
};

fh_digest *fh_digest_open(void)
{
    fh_digest *digest = calloc(1, sizeof *digest);
    if (digest != NULL) {
        digest->has_failed = SHA256_Init(&digest->context) != 1;
    }
    return digest;
}

static void *help(void *user)
{
    fh_digest *digest = user;
    (void)pthread_mutex_lock(&digest->lock);
    for (;;) {
        while (digest->num_waiting == 0 && !digest->is_over) {
            (void)pthread_cond_wait(&digest->changed, &digest->lock);
        }
        if (digest->num_waiting == 0) {
            break;
        }
        const piece next = digest->waiting[0];
        (void)pthread_mutex_unlock(&digest->lock);
        const bool is_done = SHA256_Update(&digest->context, next.bytes, next.len) == 1;
        (void)pthread_mutex_lock(&digest->lock);
        digest->has_failed = digest->has_failed || !is_done;
        digest->num_waiting--;
        for (unsigned i = 0; i < digest->num_waiting; i++) {
            digest->waiting[i] = digest->waiting[i + 1];
        }
        (void)pthread_cond_broadcast(&digest->changed);
    }
    (void)pthread_mutex_unlock(&digest->lock);
    return NULL;
}

void fh_digest_help(fh_digest *digest)
{
    if (digest->is_helped || pthread_mutex_init(&digest->lock, NULL) != 0) {
        return;
    }
    const bool has_condition = pthread_cond_init(&digest->changed, NULL) == 0;
    digest->is_helped = has_condition && fh_thread_start(&digest->thread, help, digest);
    if (!digest->is_helped) {
        if (has_condition) {
            (void)pthread_cond_destroy(&digest->changed);
        }
        (void)pthread_mutex_destroy(&digest->lock);
    }
}

void fh_digest_free(fh_digest *digest)
{
    if (digest == NULL) {
        return;
    }
    if (digest->is_helped) {
        (void)pthread_mutex_lock(&digest->lock);
        digest->is_over = true;
        (void)pthread_cond_broadcast(&digest->changed);
        (void)pthread_mutex_unlock(&digest->lock);
        (void)pthread_join(digest->thread, NULL);
        (void)pthread_cond_destroy(&digest->changed);
        (void)pthread_mutex_destroy(&digest->lock);
    }
    free(digest);
}

void fh_digest_settle(fh_digest *digest, unsigned most)
{
    if (!digest->is_helped) {
        return;
    }
    (void)pthread_mutex_lock(&digest->lock);
    while (digest->num_waiting > most) {
        (void)pthread_cond_wait(&digest->changed, &digest->lock);
    }
    (void)pthread_mutex_unlock(&digest->lock);
}

bool fh_digest_restart(fh_digest *digest)
{
    fh_digest_settle(digest, 0);
    return SHA256_Init(&digest->context) == 1;
}

bool fh_digest_add(fh_digest *digest, const uint8_t *bytes, size_t len)
{
    if (!digest->is_helped) {
        digest->has_failed = digest->has_failed || SHA256_Update(&digest->context, bytes, len) != 1;
        return !digest->has_failed;
    }
    fh_digest_settle(digest, FH_DIGEST_MOST - 1);
    (void)pthread_mutex_lock(&digest->lock);
    assert(digest->num_waiting < FH_DIGEST_MOST);
    digest->waiting[digest->num_waiting++] = (piece){bytes, len};
    const bool is_good = !digest->has_failed;
    (void)pthread_cond_broadcast(&digest->changed);
    (void)pthread_mutex_unlock(&digest->lock);
    return is_good;
}

bool fh_digest_end(fh_digest *digest, uint8_t out[FH_SHA256_LEN])
{
    fh_digest_settle(digest, 0);
    SHA256_CTX copy = digest->context;
    return !digest->has_failed && SHA256_Final(out, &copy) == 1;
}
