/* Sine and cosine that are the same on every machine.
 *
 * formats/ calls no mathematics library: its results differ from system to system. These use
 * integers, and sums and products of doubles in a fixed order.
 */
#ifndef FH_TRA_MATH_H
#define FH_TRA_MATH_H

/* tra_sin_cos computes sine and cosine of any finite angle in degrees, each within about one unit
 * of its last place; exactly at multiples of 90. */
void tra_sin_cos(double *sine, double *cosine, double degrees);

#endif
