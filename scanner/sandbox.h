/* The sandbox: what the program gives up once it knows which files it has to do with.
 *
 * Two walls of the kernel, each on its own: Landlock, which leaves of the file system only what was
 * named here, and no network; and a seccomp filter, which leaves of the system calls those that the
 * work needs. A call that only an intruder makes (starting programs, sockets, tracing, mounting)
 * ends the process; one that is merely not known to be needed fails with ENOSYS, as on an older
 * kernel, which the C library is prepared for.
 *
 * What cannot be had is left out, but for --sandbox require. Builds with AddressSanitizer or its
 * kin have no seccomp filter: what looks for leaks at their end traces the process. Nothing here
 * may be called once there are other threads: the walls are those of the calling one and of those
 * that it starts. Only the program calls this; the library leaves its process as it is.
 */
#ifndef FH_SCANNER_SANDBOX_H
#define FH_SCANNER_SANDBOX_H

#include "cmd.h"
#include "core/text.h"

typedef struct fh_sandbox {
    int rules;       /* of Landlock; -1: none */
    bool is_wanted;  /* not --sandbox off */
    bool reads_all;  /* files may be read wherever they are */
    bool only_files; /* a second wall, inside the first: there is nothing new but files */
    bool has_failed; /* a rule could not be made: then there is no wall around files */
} fh_sandbox;

/* fh_sandbox_choose takes the value of --sandbox; before it, FRAMEHOUND_SANDBOX in the environment
 * counts, and without that it is on. */
fh_exit fh_sandbox_choose(const char *command, const char *value);

/* fh_sandbox_check_environment complains of a value there that is none of these; an empty one is
 * none at all. */
fh_exit fh_sandbox_check_environment(const char *command);

/* fh_sandbox_begin begins with what every command needs: the folders of the libraries that are
 * loaded, which the C library may want parts of later, random numbers, and the folders for
 * temporary files. */
fh_sandbox fh_sandbox_begin(void);

/* fh_sandbox_reads_all leaves reading as it is, where names come out of what is read. */
void fh_sandbox_reads_all(fh_sandbox *box);

/* fh_sandbox_reads lets a file, or all in a folder, be read; fh_sandbox_reads_around also what lies
 * in the folder of a file; fh_sandbox_reads_source does so for what a scan calls a source, which
 * may be a member of a container. What is not there is left out, and so is "-". */
void fh_sandbox_reads(fh_sandbox *box, const char *path);
void fh_sandbox_reads_around(fh_sandbox *box, const char *path);
void fh_sandbox_reads_source(fh_sandbox *box, const char *path);

/* fh_sandbox_writes lets files in a folder be read, made, changed and removed;
 * fh_sandbox_writes_beside those in the folder of a file (where a link leads to, if it is one),
 * which is where a new one is written before it is put in its place, and where SQLite has its
 * journals. NULL and "-" are left out. */
void fh_sandbox_writes(fh_sandbox *box, const char *folder);
void fh_sandbox_writes_beside(fh_sandbox *box, const char *path);

/* fh_sandbox_enter raises the walls, and forgets the rules. FH_EXIT_USAGE if all of it is required
 * and not to be had: it complains then, as it does where a rule could not be made and nothing is
 * required. */
fh_exit fh_sandbox_enter(fh_sandbox *box, const char *command) FH_MUST_USE;

/* fh_sandbox_drop forgets the rules without entering. */
void fh_sandbox_drop(fh_sandbox *box);

/* fh_sandbox_enter_cell is for a process that only computes, from bytes of open files to others:
 * nothing of the file system is left, and no new open file. may_fork: it starts others like it.
 * Failures are passed over: the walls are one more, and the command has told about them. */
void fh_sandbox_enter_cell(bool may_fork);

/* fh_sandbox_describe tells what is built in and what this kernel has. */
void fh_sandbox_describe(fh_text *out);

#endif
