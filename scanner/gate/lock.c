#include "gate/lock.h"

#include "core/number.h"
#include "gate/lock_key.h"
#include "hunt/run_rules.h"
#include "overwrites.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool fh_lock_tolerance(fh_lock *lock, const char *value)
{
    const fh_real real = fh_number_real(value, strlen(value));
    lock->tolerance = real.value;
    lock->has_tolerance = true;
    return real.fault == FH_NUMBER_GOOD && real.value >= 0 && isfinite(real.value);
}

static fh_exit unreadable(const char *path, int error)
{
    fh_complain("cannot read the pose lock %s: %s; check the name, the permissions and the disk",
                fh_safe_path(path), error == EINVAL ? "it is no regular file" : strerror(error));
    return error == ENOMEM ? FH_EXIT_LIMIT : FH_EXIT_IO;
}

/* Says what is wrong with the lock that is looked into. */
static fh_exit tell_expected(const fh_lock *lock)
{
    return lock->file.error != 0
               ? unreadable(lock->expect, lock->file.error)
               : fh_usage_error("check", "%s:%u: %s; write the lock anew with --write-expect",
                                fh_safe_path(lock->expect), lock->file.line, lock->file.fault);
}

static fh_exit open_expected(fh_lock *lock)
{
    if (lock->expect == NULL) {
        return FH_EXIT_OK;
    }
    if (!fh_lock_file_open(&lock->file, lock->expect)) {
        return tell_expected(lock);
    }
    return fh_lock_folder(lock->expect_folder, lock->expect) ? FH_EXIT_OK
                                                             : unreadable(lock->expect, errno);
}

/* What is there already is replaced only if it is a lock, or empty; a damaged one is replaced as a
 * whole: to write it anew is what mends it. */
static fh_exit open_old(fh_lock *lock)
{
    static const char first[] = "framehound poses ";
    const char *path = lock->write_expect;
    char start[sizeof first] = {0};
    if (fh_lock_file_open(&lock->old, path)) {
        return FH_EXIT_OK;
    }
    if (lock->old.error == ENOENT) {
        fh_lock_file_close(&lock->old);
        return FH_EXIT_OK;
    }
    if (lock->old.error != 0) {
        return unreadable(path, lock->old.error);
    }
    errno = 0;
    rewind(lock->old.file);
    const size_t len = fread(start, 1, sizeof first - 1, lock->old.file);
    if (ferror(lock->old.file) != 0) {
        return unreadable(path, errno);
    }
    fh_lock_file_close(&lock->old);
    return len == 0 || strcmp(start, first) == 0
               ? FH_EXIT_OK
               : fh_usage_error("check", "%s is there already and no pose lock; it is left alone",
                                fh_safe_path(path));
}

static fh_exit open_new(fh_lock *lock)
{
    if (lock->write_expect == NULL) {
        return FH_EXIT_OK;
    }
    const fh_exit old = open_old(lock);
    if (old != FH_EXIT_OK) {
        return old;
    }
    const int error = fh_lock_folder(lock->out_folder, lock->write_expect)
                          ? fh_new_file_begin(&lock->out, lock->write_expect, 0666)
                          : errno;
    if (error != 0) {
        fh_complain("cannot write the pose lock %s: %s", fh_safe_path(lock->write_expect),
                    strerror(error));
        return FH_EXIT_IO;
    }
    fh_lock_file_begin(lock->out.file);
    return FH_EXIT_OK;
}

fh_exit fh_lock_begin(fh_lock *lock, const fh_judge *judge)
{
    if (lock->expect == NULL && lock->write_expect == NULL) {
        return FH_EXIT_OK;
    }
    if (!judge->options.replay) {
        return fh_usage_error("check", "a pose lock needs the replay; leave --no-replay out");
    }
    lock->judge = fh_judge_share(judge);
    const fh_exit exit = open_expected(lock);
    return exit == FH_EXIT_OK ? open_new(lock) : exit;
}

bool fh_lock_writes(const fh_lock *lock, const char *path)
{
    struct stat own;
    struct stat other;
    return lock->out.file != NULL && fstat(fileno(lock->out.file), &own) == 0 &&
           stat(path, &other) == 0 && fh_same_inode(&own, &other);
}

fh_exit fh_lock_settle(fh_lock *lock, const char *profile, const char *bac)
{
    if (lock->expect == NULL && lock->write_expect == NULL) {
        return FH_EXIT_OK;
    }
    lock->judge.options.profile = profile;
    return fh_beside_ask(&lock->judge.beside, bac, "check");
}

/* ---- findings --------------------------------------------------------------------------------
 */

static void add(fh_result *result, size_t rule, const char *field, const char *found,
                const char *expected, const char *context)
{
    fh_finding finding = fh_finding_make(&fh_run_rules.rules[rule], field);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, found);
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(&text, expected);
    text = fh_text_make(finding.context, sizeof finding.context);
    fh_text_str(&text, context);
    fh_result_add(result, &finding, fh_cursor_make("", 0, 0));
}

/* The column as the format names it: a constant, which a finding can keep. */
static const char *constant_of(const fh_motion *motion, const fh_motion_gap *gap)
{
    for (size_t i = 0; i < motion->num_tables; i++) {
        const fh_pose_table *table = motion->tables[i].origin;
        for (size_t k = 0; strcmp(table->name, gap->table) == 0 && k < table->num_columns; k++) {
            if (strcmp(table->columns[k].name, gap->channel) == 0) {
                return table->columns[k].name;
            }
        }
    }
    return "motion";
}

static const char *field_of(const fh_motion *motion, const fh_motion_gap *gap)
{
    return gap->frame == FH_UNKNOWN ? "frames"
           : gap->table[0] == '\0'  ? "frame number"
                                    : constant_of(motion, gap);
}

static void add_gap(fh_result *result, const fh_motion *motion, const fh_motion_gap *gap,
                    const char *context)
{
    const bool is_row = gap->frame != FH_UNKNOWN;
    fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0014], field_of(motion, gap));
    finding.frame = gap->frame;
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, gap->is);
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(&text, gap->was);
    text = fh_text_make(finding.context, sizeof finding.context);
    fh_text_str(&text, context);
    if (is_row && gap->thing != FH_UNKNOWN) {
        char thing[96] = "";
        if (gap->object != gap->thing) {
            (void)snprintf(thing, sizeof thing, ", %s %" PRId64, gap->row, gap->thing);
        } else if (strcmp(gap->table, "object") != 0) {
            (void)snprintf(thing, sizeof thing, " in table %s", gap->table);
        }
        finding.object = gap->object;
        fh_text_str(&text, thing);
    }
    if (gap->size > 0 && isfinite(gap->size)) {
        char apart[48];
        (void)snprintf(apart, sizeof apart, ", %.6g apart", gap->size);
        fh_text_str(&text, apart);
    }
    fh_result_add(result, &finding, fh_cursor_make("", 0, 0));
}

static bool is_same_place(const fh_motion_gap *a, const fh_motion_gap *b)
{
    return a->frame == b->frame && a->thing == b->thing && strcmp(a->table, b->table) == 0 &&
           strcmp(a->channel, b->channel) == 0;
}

static void tell_diff(fh_result *result, const fh_motion *motion, const fh_motion_diff *diff)
{
    char context[64];
    const char *which = diff->num == 1 ? "the only difference" : "the first";
    if (diff->num > 1 && is_same_place(&diff->first, &diff->largest)) {
        which = "the first and largest";
    }
    if (diff->num == 1) {
        (void)snprintf(context, sizeof context, "%s", which);
    } else {
        (void)snprintf(context, sizeof context, "%s of %" PRIu64 " differences", which, diff->num);
    }
    add_gap(result, motion, &diff->first, context);
    if (!is_same_place(&diff->first, &diff->largest)) {
        (void)snprintf(context, sizeof context, "the largest of %" PRIu64 " differences",
                       diff->num);
        add_gap(result, motion, &diff->largest, context);
    }
}

/* ---- one result ------------------------------------------------------------------------------
 */

/* Replays the file of a result once more, for its poses. */
static fh_exit take_motion(fh_motion *motion, fh_lock *lock, const fh_result *result)
{
    *motion = (fh_motion){0};
    const fh_sink sink = fh_motion_sink(motion);
    const char *why = NULL;
    const fh_exit exit = fh_judge_poses(&why, &lock->judge, result, &sink);
    if (exit != FH_EXIT_OK || motion->no_memory) {
        fh_complain("%s: its poses cannot be kept: %s", fh_safe_path(result->path),
                    exit == FH_EXIT_OK ? "out of memory" : why);
        return exit == FH_EXIT_OK ? FH_EXIT_LIMIT : exit;
    }
    return FH_EXIT_OK;
}

static void compare(fh_lock *lock, fh_result *result, const fh_motion *was, const fh_motion *is)
{
    fh_motion_diff diff;
    if (was->is_too_long || is->is_too_long) {
        add(result, FH_RUN0014, "motion", "another hash of all poses", "the hash of the lock",
            "too long to say where");
        return;
    }
    fh_motion_compare(&diff, was, is, lock->tolerance);
    if (diff.no_memory) {
        fh_complain("%s: out of memory", fh_safe_path(result->path));
        result->exit = FH_EXIT_LIMIT;
    } else if (diff.num > 0) {
        tell_diff(result, is, &diff);
    }
}

static fh_exit look_closely(fh_lock *lock, fh_result *result, const fh_locked *locked)
{
    fh_motion was = {0};
    fh_motion is = {0};
    fh_exit exit = take_motion(&is, lock, result);
    if (exit == FH_EXIT_OK && !fh_lock_file_motion(&was, &lock->file, locked)) {
        exit = tell_expected(lock);
    } else if (exit == FH_EXIT_OK) {
        compare(lock, result, &was, &is);
    }
    fh_motion_free(&was);
    fh_motion_free(&is);
    return exit;
}

static fh_exit no_place(const fh_result *result, const char *effect)
{
    const int error = errno;
    fh_complain("%s: its place is not known: %s; %s", fh_safe_path(result->path), strerror(error),
                effect);
    return error == ENOMEM ? FH_EXIT_LIMIT : FH_EXIT_IO;
}

static fh_exit hold(fh_lock *lock, fh_result *result)
{
    char *key = fh_lock_key(lock->expect_folder, result->path);
    if (key == NULL) {
        return no_place(result, "it is not held against the lock");
    }
    fh_locked *locked = fh_lock_file_find(&lock->file, key);
    free(key);
    if (locked == NULL) {
        if (result->has_pose_sha256) {
            add(result, FH_RUN0016, "motion", "an animation", "one that the lock has", "");
        }
        return FH_EXIT_OK;
    }
    locked->is_met = true;
    if (!result->has_pose_sha256) {
        add(result, FH_RUN0015, "motion", "nothing that can be replayed to its end",
            "the animation of the lock", "");
        return FH_EXIT_OK;
    }
    if (strcmp(locked->format, result->format->name) != 0 ||
        strcmp(locked->evaluator, result->replay.evaluator) != 0) {
        add(result, FH_RUN0017, "evaluator", result->replay.evaluator, locked->evaluator, "");
        return FH_EXIT_OK;
    }
    if (memcmp(locked->hash, result->pose_sha256, FH_SHA256_LEN) == 0) {
        return FH_EXIT_OK;
    }
    return look_closely(lock, result, locked);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Whether the path is new to the lock that is written, which keeps it. false: no memory. */
static bool see(bool *is_new, fh_lock *lock, char *path)
{
    char **const node = tsearch(path, &lock->seen, by_text);
    *is_new = node != NULL && *node == path;
    return node != NULL;
}

static fh_exit write_one(fh_lock *lock, const fh_result *result)
{
    fh_motion motion;
    fh_locked locked = {.path = fh_lock_key(lock->out_folder, result->path)};
    if (locked.path == NULL) {
        return no_place(result, "it is not in the lock");
    }
    bool is_new = false;
    const bool has_memory = see(&is_new, lock, locked.path);
    if (!is_new) { /* a file that is named twice */
        free(locked.path);
        errno = ENOMEM;
        return has_memory ? FH_EXIT_OK : no_place(result, "it is not in the lock");
    }
    const fh_exit exit = take_motion(&motion, lock, result);
    if (exit == FH_EXIT_OK) {
        (void)snprintf(locked.format, sizeof locked.format, "%s", result->format->name);
        (void)snprintf(locked.evaluator, sizeof locked.evaluator, "%s", result->replay.evaluator);
        memcpy(locked.hash, result->pose_sha256, sizeof locked.hash);
        fh_lock_file_put(lock->out.file, &locked, &motion);
        lock->num_written++;
    }
    fh_motion_free(&motion);
    return exit;
}

fh_exit fh_lock_result(fh_lock *lock, fh_result *result)
{
    fh_exit exit = FH_EXIT_OK;
    if (strcmp(result->path, "-") == 0) {
        if (lock->expect != NULL || lock->write_expect != NULL) {
            fh_complain("standard input has no place in a pose lock");
            exit = FH_EXIT_USAGE;
            lock->is_spoilt = true;
        }
        return exit;
    }
    if (lock->expect != NULL) {
        exit = hold(lock, result);
    }
    if (lock->write_expect != NULL && result->has_pose_sha256) {
        const fh_exit written = write_one(lock, result);
        lock->is_spoilt = lock->is_spoilt || written != FH_EXIT_OK;
        exit = fh_worst(exit, written);
    }
    lock->num_unlocked += result->format != NULL && !result->has_pose_sha256 ? 1 : 0;
    return exit;
}

/* ---- the end ---------------------------------------------------------------------------------
 */

/* Whether a place is one of the paths, or lies in it. */
static bool is_covered(const char *place, int num, char *const *paths)
{
    char real[PATH_MAX];
    for (int i = 0; i < num; i++) {
        if (realpath(paths[i], real) == NULL && !fh_lock_place(real, paths[i])) {
            continue;
        }
        const size_t len = strlen(real);
        if (strncmp(place, real, len) == 0 &&
            (place[len] == '\0' || place[len] == '/' || len == 1)) {
            return true;
        }
    }
    return false;
}

/* Where the lock says that an asset is. The folders on the way may be gone. */
static bool put_place(char out[PATH_MAX], const char *folder, const char *path)
{
    size_t len = strlen(folder);
    memcpy(out, folder, len + 1);
    while (strncmp(path, "../", 3) == 0 && len > 0) {
        do {
            len--;
        } while (len > 0 && out[len] != '/');
        path += 3;
    }
    if (len + 1 + strlen(path) >= PATH_MAX) {
        return false;
    }
    len -= len > 0 && out[len - 1] == '/' ? 1 : 0; /* the root */
    out[len] = '/';
    memcpy(out + len + 1, path, strlen(path) + 1);
    return true;
}

/* What there is in place of a file of the lock that was not met; NULL: the file, which then was not
 * asked for. A walk follows no links: behind one there is another file than the one of the lock. */
static const char *what_is_there(const char *place)
{
    char real[PATH_MAX];
    struct stat there;
    if (lstat(place, &there) != 0) {
        return errno == ENOENT || errno == ENOTDIR ? "nothing" : strerror(errno);
    }
    if (S_ISLNK(there.st_mode)) {
        return "a symbolic link";
    }
    if (!S_ISREG(there.st_mode)) {
        return "no regular file";
    }
    return realpath(place, real) != NULL && strcmp(real, place) == 0 ? NULL
                                                                     : "behind a symbolic link";
}

fh_exit fh_lock_missing(fh_lock *lock, int num, char *const *paths, void *user,
                        void (*tell)(void *user, fh_result *result))
{
    for (size_t i = 0; lock->expect != NULL && i < lock->file.num_assets; i++) {
        const fh_locked *locked = &lock->file.assets[i];
        char place[PATH_MAX];
        if (locked->is_met || !put_place(place, lock->expect_folder, locked->path) ||
            !is_covered(place, num, paths)) {
            continue;
        }
        const char *found = what_is_there(place);
        if (found == NULL) {
            continue;
        }
        fh_result result;
        if (!fh_result_begin(&result, locked->path)) {
            fh_complain("out of memory");
            return FH_EXIT_LIMIT;
        }
        result.why = "not there";
        add(&result, FH_RUN0015, "file", found, "the animation of the lock", "");
        tell(user, &result);
    }
    return FH_EXIT_OK;
}

/* Whether what the old lock has of a file stays: it is still there, and has no new poses. */
static bool is_kept(const fh_lock *lock, fh_lock_file *fresh, const fh_locked *old)
{
    char place[PATH_MAX];
    struct stat there;
    return fh_lock_file_find(fresh, old->path) == NULL &&
           put_place(place, lock->out_folder, old->path) &&
           (lstat(place, &there) == 0 || (errno != ENOENT && errno != ENOTDIR));
}

static bool copy_one(FILE *out, fh_lock_file *from, const fh_locked *asset)
{
    fh_motion motion = {0};
    const bool is_read = fh_lock_file_motion(&motion, from, asset);
    if (is_read) {
        fh_lock_file_put(out, asset, &motion);
    }
    fh_motion_free(&motion);
    return is_read;
}

/* Writes both locks into one, in the order of paths. */
static bool join_locks(fh_lock *lock, FILE *out, fh_lock_file *fresh)
{
    fh_lock_file *old = &lock->old;
    size_t next = 0;
    bool is_good = true;
    fh_lock_file_begin(out);
    for (size_t i = 0; i <= fresh->num_assets && is_good; i++) {
        const fh_locked *mine = i < fresh->num_assets ? &fresh->assets[i] : NULL;
        for (; next < old->num_assets && is_good &&
               (mine == NULL || strcmp(old->assets[next].path, mine->path) <= 0);
             next++) {
            if (is_kept(lock, fresh, &old->assets[next])) {
                lock->num_kept++;
                is_good = copy_one(out, old, &old->assets[next]);
            }
        }
        is_good = is_good && (mine == NULL || copy_one(out, fresh, mine));
    }
    return is_good;
}

/* Returns 0 or an errno. */
static int put_lock(fh_lock *lock)
{
    fh_lock_file fresh;
    fh_new_file sorted = {0};
    int error = fflush(lock->out.file) != 0 ? errno : ferror(lock->out.file) != 0 ? EIO : 0;
    if (!fh_lock_file_open(&fresh, lock->out.temporary) && error == 0) {
        error = fresh.error != 0 ? fresh.error : EIO;
    }
    if (error == 0) {
        error = fh_new_file_begin(&sorted, lock->write_expect, 0666);
    }
    if (error == 0 && !join_locks(lock, sorted.file, &fresh)) {
        error = fresh.error != 0 ? fresh.error : lock->old.error != 0 ? lock->old.error : EIO;
    }
    if (error == 0) {
        error = fh_new_file_commit(&sorted);
    }
    fh_new_file_drop(&sorted);
    fh_lock_file_close(&fresh);
    return error;
}

static void tell_written(const fh_lock *lock)
{
    char kept[80] = "";
    char left[80] = "";
    if (lock->num_kept > 0) {
        (void)snprintf(kept, sizeof kept, "; kept those of %zu that had no new ones",
                       lock->num_kept);
    }
    if (lock->num_unlocked > 0) {
        (void)snprintf(left, sizeof left, "; %zu checked here cannot be replayed to their end",
                       lock->num_unlocked);
    }
    fh_complain("wrote the poses of %zu animation%s to %s%s%s", lock->num_written,
                lock->num_written == 1 ? "" : "s", fh_safe_path(lock->write_expect), kept, left);
}

fh_exit fh_lock_end(fh_lock *lock, bool is_whole)
{
    if (lock->write_expect == NULL) {
        return FH_EXIT_OK;
    }
    if (!is_whole || lock->is_spoilt) {
        fh_complain("the pose lock %s is not written, because not every file could be checked",
                    fh_safe_path(lock->write_expect));
        return FH_EXIT_OK; /* whatever spoilt it had a code */
    }
    const int error = put_lock(lock);
    if (error != 0) {
        fh_complain("cannot write the pose lock %s: %s; make room or check the disk",
                    fh_safe_path(lock->write_expect), strerror(error));
        return error == ENOMEM ? FH_EXIT_LIMIT : FH_EXIT_IO;
    }
    tell_written(lock);
    return FH_EXIT_OK;
}

void fh_lock_free(fh_lock *lock)
{
    if (lock->expect != NULL || lock->write_expect != NULL) {
        fh_judge_free(&lock->judge);
    }
    fh_lock_file_close(&lock->file);
    fh_lock_file_close(&lock->old);
    tdestroy(lock->seen, free);
    fh_new_file_drop(&lock->out);
}
