/* Telling: records of the hunt and of examinations, handed to the callbacks of a program. Internal
 * to library/. Each returns false when the work is over, because the callback said so or there is
 * no memory; nothing is told after that.
 */
#ifndef FH_LIBRARY_TELL_H
#define FH_LIBRARY_TELL_H

#include "context.h"

/* fh_public_format is what programs see of a format. */
framehound_format fh_public_format(const fh_format *format);

bool fh_tell_source_to(framehound *hound, const fh_source_record *record, const char *why);

/* fh_tell_asset_to tells an asset, of which exam has the examination and its bytes, and its poses.
 * *id is what its findings call it. */
bool fh_tell_asset_to(framehound *hound, int64_t *id, const fh_asset_record *record,
                      const fh_exam *exam);

bool fh_tell_finding_to(framehound *hound, const fh_finding_record *record);

#endif
