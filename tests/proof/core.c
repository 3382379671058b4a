/* The text writer, the tokens of a text and the fixed-point mathematics: each function, any number
 * of times, with arguments of which nothing is known but what its header demands.
 */
#include "harness.h"

#include "core/scan.h"
#include "fixed/fixed.h"

static void write_texts(void)
{
    char buf[FH_EVIDENCE_LEN];
    char str[32];
    fh_text text = fh_text_make(buf, sizeof buf);
    Frama_C_make_unknown(str, sizeof str - 1);
    str[sizeof str - 1] = '\0';
    while (proof_bool()) {
        switch (Frama_C_interval(0, 3)) {
        case 0:
            fh_text_str(&text, str);
            break;
        case 1:
            fh_text_u64(&text, Frama_C_unsigned_long_interval(0, UINT64_MAX));
            break;
        case 2:
            fh_text_s64(&text, Frama_C_long_interval(INT64_MIN, INT64_MAX));
            break;
        default:
            fh_text_hex(&text, Frama_C_unsigned_long_interval(0, UINT64_MAX),
                        Frama_C_unsigned_int_interval(0, 16));
            break;
        }
    }
}

static void take_tokens(fh_cursor bytes, fh_encoding encoding)
{
    static const fh_scan_style style = {.marks = "{};,",
                                        .comment = '#',
                                        .quote = '"',
                                        .has_line_ends = true,
                                        .most_units = 80,
                                        .most_remark = 0};
    char buf[FH_EVIDENCE_LEN];
    char shown[FH_EVIDENCE_LEN];
    fh_scan scan = fh_scan_make(bytes, encoding, &style);
    fh_text text = fh_text_make(shown, sizeof shown);
    while (proof_bool()) {
        const fh_token token = fh_scan_next(&scan);
        (void)fh_scan_read(&scan, &token, buf, sizeof buf);
        (void)fh_scan_is(&scan, &token, "SYSTEM");
        (void)fh_scan_hash(&scan, &token);
        (void)fh_scan_same(&scan, &token, &token);
        fh_scan_show(&text, &scan, &token);
    }
}

static void scan_texts(void)
{
    const fh_cursor bytes = proof_cursor();
    fh_encoding encoding = fh_scan_guess(bytes);
    (void)fh_scan_bom(bytes, &encoding);
    (void)fh_scan_begin(bytes, Frama_C_size_t_interval(0, bytes.size), proof_bool());
    take_tokens(bytes, encoding);
}

static void calculate(void)
{
    fx_matrix a;
    fx_matrix b;
    fx_matrix c;
    int16_t angle[3];
    int32_t vector[3];
    int32_t out[3];
    Frama_C_make_unknown((char *)&a, sizeof a);
    Frama_C_make_unknown((char *)&b, sizeof b);
    Frama_C_make_unknown((char *)angle, sizeof angle);
    Frama_C_make_unknown((char *)vector, sizeof vector);
    fx_rotate(&a, angle, (fx_order)Frama_C_interval(0, FX_NUM_ORDERS - 1));
    Frama_C_make_unknown((char *)&a, sizeof a);
    (void)fx_scale(&b, vector);
    (void)fx_combine(&c, &a, &b);
    fx_transform(out, &a, vector);
    fx_inverse(&c, &a);
    (void)fx_sqrt(&out[0], vector[0]);
    (void)fx_square(vector);
    (void)fx_is_singular(a.m);
}

int main(void)
{
    write_texts();
    scan_texts();
    calculate();
    return 0;
}
