#include "spot_text.h"

#include "reports/escape.h"

#include <inttypes.h>
#include <stdio.h>

static void put_line(fh_out *out, const char *label, const char *value)
{
    if (value != NULL) {
        fh_out_fmt(out, "%s: %s\n", label, value);
    }
}

static void put_path(fh_out *out, const char *label, const char *path, int64_t offset)
{
    if (path[0] == '\0') {
        return;
    }
    fh_out_fmt(out, "%s: ", label);
    fh_escape_text(out, path);
    if (offset != FH_UNKNOWN) {
        fh_out_fmt(out, "+0x%" PRIx64, (uint64_t)offset);
    }
    fh_out_str(out, "\n");
}

static const char *msf_of(int64_t lba, char text[32])
{
    if (lba == FH_UNKNOWN || lba < -150) {
        return NULL;
    }
    const int64_t frames = lba + 150;
    (void)snprintf(text, 32, "%02" PRId64 ":%02" PRId64 ":%02" PRId64, frames / 4500,
                   frames / 75 % 60, frames % 75);
    return text;
}

/* Numbers behind a label; offset in the sector is FH_UNKNOWN outside of user data. */
static void put_addresses(fh_out *out, const fh_spot *spot)
{
    char text[32];
    char offset[32] = "";
    const char *msf = msf_of(spot->lba, text);
    if (spot->sector_off != FH_UNKNOWN) {
        (void)snprintf(offset, sizeof offset, "+0x%" PRIx64, (uint64_t)spot->sector_off);
    }
    if (spot->user_off != FH_UNKNOWN) {
        fh_out_fmt(out, "user: 0x%08" PRIx64 "\n", (uint64_t)spot->user_off);
    }
    if (spot->ram_address != FH_UNKNOWN) {
        fh_out_fmt(out, "ram: 0x%08" PRIx64 "\n", (uint64_t)spot->ram_address);
    }
    if (spot->lba != FH_UNKNOWN) {
        fh_out_fmt(out, "lba: %" PRId64 "%s\n", spot->lba, offset);
    }
    if (msf != NULL) {
        fh_out_fmt(out, "msf: %s%s\n", msf, offset);
    }
}

void fh_spot_print(fh_out *out, const char *path, const fh_layout *layout, const fh_spot *spot)
{
    fh_out_str(out, "source: ");
    fh_escape_text(out, path);
    fh_out_fmt(out, "\nlayout: %s\n", fh_layout_name(layout));
    fh_out_fmt(out, "raw: 0x%08" PRIx64 "\n", (uint64_t)spot->raw_off);
    put_addresses(out, spot);
    put_path(out, spot->is_directory ? "directory" : "iso", spot->iso_path, spot->iso_off);
    put_path(out, "joliet", spot->joliet_path, FH_UNKNOWN);
    if (spot->sector != FH_UNKNOWN) {
        fh_out_fmt(out, "sector: %" PRId64 "\n", spot->sector);
    }
    put_line(out, "kind", spot->kind);
    put_line(out, "field", spot->field);
}

static void json_number(fh_out *out, const char *name, int64_t number)
{
    fh_out_fmt(out, ", \"%s\": ", name);
    if (number == FH_UNKNOWN) {
        fh_out_str(out, "null");
    } else {
        fh_out_fmt(out, "%" PRId64, number);
    }
}

static void json_text(fh_out *out, const char *name, const char *text)
{
    fh_out_fmt(out, ", \"%s\": ", name);
    fh_escape_json(out, text == NULL || text[0] == '\0' ? NULL : text);
}

void fh_spot_json(fh_out *out, const char *path, const fh_layout *layout, const fh_spot *spot)
{
    char msf[32];
    json_text(out, "path", path);
    json_text(out, "layout", fh_layout_name(layout));
    json_number(out, "raw_offset", spot->raw_off);
    json_number(out, "user_offset", spot->user_off);
    json_number(out, "lba", spot->lba);
    json_text(out, "msf", msf_of(spot->lba, msf));
    json_number(out, "sector_offset", spot->sector_off);
    json_text(out, "iso_path", spot->is_directory ? NULL : spot->iso_path);
    json_number(out, "iso_offset", spot->is_directory ? FH_UNKNOWN : spot->iso_off);
    json_text(out, "joliet_path", spot->joliet_path);
    json_text(out, "directory", spot->is_directory ? spot->iso_path : NULL);
    json_number(out, "ram_address", spot->ram_address);
    json_number(out, "sector", spot->sector);
    json_text(out, "kind", spot->kind);
    json_text(out, "field", spot->field);
}
