/* Limits of the gate, with the reason for each number. */
#ifndef FH_GATE_LIMITS_H
#define FH_GATE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a list of names, from a file or from git: a million names of 64 bytes. The largest
 * repositories that are public have less than half of that. */
#define FH_LIST_MAX_LEN ((size_t)64 << 20)

/* Bytes of the packed result of one file that a cache keeps; some two thousand findings. */
#define FH_CACHE_MAX_ENTRY ((size_t)512 << 10)

/* Bytes on disk of one of the 256 folders of a cache: 256 MiB together, which is 65,000 results
 * that take a block of the file system each. */
#define FH_CACHE_MAX_FOLDER ((uint64_t)1 << 20)

/* What is left of a folder that had become too large, so that it is not tidied up at every run. */
#define FH_CACHE_KEEP_FOLDER (FH_CACHE_MAX_FOLDER / 4 * 3)

/* Entries of one folder that are looked at when it is tidied up; more than fit into it, each having
 * at least a block of 512 bytes. */
#define FH_CACHE_MAX_LISTED 4096u

/* Bytes of what git has to say of an error. */
#define FH_GIT_ERROR_LEN ((size_t)512)

/* Drivers of filters in the configuration of a repository, all of which are switched off one by
 * one. Real ones have one or two. */
#define FH_GIT_MAX_FILTERS ((size_t)64)

/* Repositories inside a repository, submodules and others, that are asked for their files. */
#define FH_GIT_MAX_NESTED 4096u

/* Milliseconds that git may go without a word. It has nothing to wait for, for nobody is asked and
 * nothing fetched, but reads what it finds: a pipe by the name of .gitignore holds it for ever.
 * Five minutes leave room for a large repository on a slow disk. */
#define FH_GIT_PATIENCE_MS 300000

/* Bytes of a configuration. One that names every rule on a line of its own has some 20 KiB. */
#define FH_CONFIG_MAX_LEN 65536

/* Bytes of a line of a configuration: the packaged libinih reads no longer ones. A value may go on
 * in further lines. */
#define FH_CONFIG_MAX_LINE 197

/* Codes that one configuration, or all options together, may name. There are fewer rules than this;
 * what is held against every path has to be bounded. */
#define FH_MAX_CHOICES 4096u

/* Configurations of one run. Each is held in memory and searched for by its folder. */
#define FH_MAX_CONFIGS 1024u

/* Bytes of a baseline: half a million entries with paths of some 40 bytes. */
#define FH_BASELINE_MAX_LEN ((size_t)64 << 20)

/* Findings of one rule that an entry of a baseline may take: what a file of 8 MiB could have if
 * every byte of it broke the rule. */
#define FH_BASELINE_MAX_COUNT (8u << 20)

#endif
