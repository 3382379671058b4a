#include "core/finding.h"

const char *fh_severity_name(fh_severity severity)
{
    static const char *const names[] = {"note", "warning", "error"};
    return names[severity];
}

fh_finding fh_finding_make(const fh_rule *rule, const char *field)
{
    return (fh_finding){.rule = rule,
                        .field = field,
                        .offset = FH_UNKNOWN,
                        .frame = FH_UNKNOWN,
                        .frame_number = FH_UNKNOWN,
                        .object = FH_UNKNOWN};
}

void fh_value_write(fh_text *out, fh_value value)
{
    fh_text_str(out, value.before);
    if (value.kind == FH_VALUE_COUNT) {
        fh_text_str(fh_text_s64(out, value.number), " ");
        fh_text_str(fh_text_str(out, value.after), value.number == 1 ? "" : "s");
        return;
    }
    if (value.kind == FH_VALUE_DEC) {
        fh_text_s64(out, value.number);
    } else if (value.kind == FH_VALUE_HEX) {
        fh_text_hex(out, (uint32_t)value.number, 1);
    }
    fh_text_str(out, value.after);
}

void fh_finding_evidence(fh_finding *finding, fh_value found, fh_value expected)
{
    fh_text text = fh_text_make(finding->found, sizeof finding->found);
    fh_value_write(&text, found);
    text = fh_text_make(finding->expected, sizeof finding->expected);
    fh_value_write(&text, expected);
}

static void put_evidence(fh_text *out, const fh_finding *finding)
{
    fh_text_str(fh_text_str(out, ": "), finding->field);
    if (finding->found[0] != '\0') {
        fh_text_str(fh_text_str(out, " is "), finding->found);
    }
    if (finding->expected[0] != '\0') {
        fh_text_str(fh_text_str(out, ", expected "), finding->expected);
    }
}

static void put_place(fh_text *out, const fh_finding *finding)
{
    const char *lead = " (";
    if (finding->frame != FH_UNKNOWN) {
        fh_text_s64(fh_text_str(fh_text_str(out, lead), "frame "), finding->frame);
        lead = ", ";
    }
    if (finding->frame_number != FH_UNKNOWN) {
        fh_text_s64(fh_text_str(fh_text_str(out, lead), "number "), finding->frame_number);
        lead = ", ";
    }
    if (finding->context[0] != '\0') {
        fh_text_str(fh_text_str(out, lead), finding->context);
        lead = ", ";
    }
    if (finding->object != FH_UNKNOWN) {
        fh_text_s64(fh_text_str(fh_text_str(out, lead), "object "), finding->object);
        lead = ", ";
    }
    if (lead[0] == ',') {
        fh_text_str(out, ")");
    }
}

void fh_finding_message(fh_text *out, const fh_finding *finding)
{
    fh_text_str(out, finding->rule->title);
    put_evidence(out, finding);
    put_place(out, finding);
}
