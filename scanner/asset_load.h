/* The bytes of one asset, for the commands that look at one: those of a file, of asset ID of a
 * database, DB:ID, or of what begins at a place of a source, SOURCE@ADDRESS. */
#ifndef FH_SCANNER_ASSET_LOAD_H
#define FH_SCANNER_ASSET_LOAD_H

#include "cmd.h"
#include "sandbox.h"
#include "source/layout.h"
#include "source/load.h"

typedef struct fh_asset_load {
    fh_file file;            /* the caller frees it, whatever the exit code */
    const fh_format *format; /* as the database says; NULL: of a file, which is not known yet */
    bool is_joined;          /* from parts of its source */
    bool is_whole;           /* the file is the asset */
    int64_t raw_offset, lba; /* of the asset in its source; FH_UNKNOWN */
    char *path;              /* of the source, for messages; the caller frees it; may be NULL unless
                                the exit code is FH_EXIT_OK */
} fh_asset_load;

/* fh_asset_load_file reads a file, fh_asset_load_named what FILE|DB:ID names; both complain, in the
 * name of the command, about what cannot be read. */
fh_exit fh_asset_load_file(fh_asset_load *out, const char *command, const char *path) FH_MUST_USE;
fh_exit fh_asset_load_named(fh_asset_load *out, const char *command,
                            const char *argument) FH_MUST_USE;

/* fh_asset_is_at tells whether an argument is SOURCE@ADDRESS: it ends so, and is neither a file nor
 * a DB:ID whose database is there. fh_asset_load_at reads the asset that begins there, in a format
 * or, where that is NULL, in the first one that accepts the bytes. Of a given format they need not
 * be sound: then they are all that an asset could have. FH_EXIT_FINDINGS, after a complaint, where
 * the source has no such place, or no asset begins there. */
bool fh_asset_is_at(const char *argument);
fh_exit fh_asset_load_at(fh_asset_load *out, const char *command, const char *argument,
                         const fh_format *as, fh_layout_choice layout) FH_MUST_USE;

/* fh_asset_split splits DB:ID; NULL when the argument is a file or has another form, else the text
 * of ID. */
const char *fh_asset_split(const char *argument, char *db, size_t db_size);

/* fh_asset_allow lets be read what an argument names: of DB:ID everything, for the database says
 * which file its asset is in, and that is opened when the database was looked at. */
fh_exit fh_asset_allow(fh_sandbox *box, const char *command, const char *argument) FH_MUST_USE;

/* fh_is_database tells whether the bytes begin as a database does. */
bool fh_is_database(fh_cursor bytes);

#endif
