/* What a format says of a place, as text for people or as a line of JSON. */
#ifndef FH_SCANNER_WHY_TEXT_H
#define FH_SCANNER_WHY_TEXT_H

#include "hunt/why.h"
#include "reports/out.h"

/* fh_why_print writes a paragraph: the verdict, what decided it, the bytes there. */
void fh_why_print(fh_out *out, const fh_gather *gather, const fh_why *why, const fh_exam *exam);

/* fh_why_json writes a JSON object, without a line end. */
void fh_why_json(fh_out *out, const fh_gather *gather, const fh_why *why, const fh_exam *exam);

#endif
