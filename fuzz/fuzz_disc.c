#include "fuzz_disc.h"

#include "forge/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sync, address and mode, and in Mode 2 the subheader, come before the user data. */
static size_t head_len(unsigned mode)
{
    return mode == 1 ? 16 : 24;
}

size_t fuzz_disc_place(unsigned mode, size_t user)
{
    return user / FUZZ_DISC_USER * FUZZ_DISC_SECTOR + head_len(mode) + user % FUZZ_DISC_USER;
}

size_t fuzz_disc_user(unsigned mode, size_t raw)
{
    const size_t in_sector = raw % FUZZ_DISC_SECTOR;
    const size_t in_data = in_sector < head_len(mode) ? 0 : in_sector - head_len(mode);
    return raw / FUZZ_DISC_SECTOR * FUZZ_DISC_USER +
           (in_data < FUZZ_DISC_USER ? in_data : FUZZ_DISC_USER);
}

static bool put(void *ctx, const uint8_t *bytes, size_t len)
{
    fuzz_disc *disc = ctx;
    if (len > disc->room - disc->len) {
        disc->room = 2 * (disc->room + len);
        uint8_t *grown = realloc(disc->bytes, disc->room);
        if (grown == NULL) {
            return false;
        }
        disc->bytes = grown;
    }
    memcpy(disc->bytes + disc->len, bytes, len);
    disc->len += len;
    return true;
}

static bool add_bytes(forge_image *image, forge_error *err, const fuzz_disc *disc,
                      const uint8_t *bytes, size_t len)
{
    const forge_image_entry entry = {.form2 = false};
    forge_source source;
    if (!forge_source_memory(&source, err, bytes, len)) {
        return false;
    }
    forge_image_at(image, (int32_t)disc->lba);
    return disc->is_file ? forge_image_file(image, err, &FUZZ_DISC_FILE[1],
                                            sizeof FUZZ_DISC_FILE - 2, source, &entry)
                         : forge_image_hidden(image, err, source, 0);
}

void fuzz_disc_make(fuzz_disc *disc, const uint8_t *bytes, size_t len)
{
    const forge_image_options options = {.stride = FUZZ_DISC_SECTOR, .mode = disc->mode};
    forge_error err = {.kind = FORGE_OK};
    forge_image *image = forge_image_new(&options);
    disc->len = 0;
    if (image == NULL || !forge_image_iso(image, &err, "DISC", "FUZZ") ||
        !add_bytes(image, &err, disc, bytes, len) || !forge_image_write(image, &err, put, disc)) {
        (void)fprintf(stderr, "fuzz: no disc can be made: %s\n", err.text);
        abort();
    }
    forge_image_free(image);
}
