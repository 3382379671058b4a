/* Reals as text that every reader takes: a point whatever the locale has for one. */
#ifndef FH_REPORTS_REAL_H
#define FH_REPORTS_REAL_H

#define FH_REAL_LEN 64u    /* 17 digits, sign, exponent, and a decimal point of several bytes */
#define FH_EXACT_DIGITS 17 /* enough to read the same double back */

/* fh_real_text writes a finite real with so many significant digits. */
void fh_real_text(char text[FH_REAL_LEN], double real, int num_digits);

#endif
