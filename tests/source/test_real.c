/* A real image, from the folder of samples that lies beside the project or is named by
 * FRAMEHOUND_SHARED. Without it the test is skipped. */
#include "bench.h"
#include "source/codes.h"

#include <stdio.h>
#include <stdlib.h>

static FILE *open_sample(const char *name)
{
    const char *shared = getenv("FRAMEHOUND_SHARED");
    const char *root = getenv("FRAMEHOUND_SOURCE_ROOT");
    char path[4096];
    if (shared != NULL) {
        snprintf(path, sizeof path, "%s/samples/%s", shared, name);
    } else {
        snprintf(path, sizeof path, "%s/../shared/samples/%s", root != NULL ? root : ".", name);
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        cr_skip_test("no sample %s", path);
    }
    return file;
}

/* Takes the image apart by arithmetic alone: all its sectors are Mode 2 with sound subheaders. */
static image load(FILE *file)
{
    image img = image_make();
    uint8_t sector[2352];
    while (fread(sector, sizeof sector, 1, file) == 1) {
        bool form2 = (sector[18] & 0x20) != 0;
        byte_run *to = &img.want[form2 ? FH_STREAM_FORM2 : FH_STREAM_DATA];
        size_t len = form2 ? 2324 : 2048;
        img.raw.data = realloc(img.raw.data, img.raw.len + sizeof sector);
        to->data = realloc(to->data, to->len + len);
        cr_assert(img.raw.data != NULL && to->data != NULL);
        for (size_t i = 0; i < sizeof sector; i++) {
            img.raw.data[img.raw.len++] = sector[i];
        }
        for (size_t i = 0; i < len; i++) {
            to->data[to->len++] = sector[24 + i];
        }
    }
    fclose(file);
    return img;
}

Test(real, psxsnake)
{
    image img = load(open_sample("discs/psxsnake.bin"));
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(u32, res.layout.stride, 2352));
    cr_assert(eq(i64, res.layout.start, 0));
    cr_assert(eq(i64, res.counts.sectors, 381));
    cr_assert(eq(i64, res.counts.kinds[FH_SECTOR_FORM1], 377));
    cr_assert(eq(i64, res.counts.kinds[FH_SECTOR_FORM2], 4));
    for (int64_t i = 0; i < 381; i++) {
        cr_assert(eq(i64, res.lbas[i], i));
    }
    cr_assert(eq(sz, res.num_events, 3)); /* a skip over the Form 2 sectors, and two ends */
    ONLY_RULES(&res, FH_IMG0008);         /* behind the licence area all subheaders are zeros */
    bench_free(&res);
    image_free(&img);
}

/* Its tool left EDC out behind the licence area (format sheet, section 2.4). */
Test(real, psxsnake_edc)
{
    image img = load(open_sample("discs/psxsnake.bin"));
    fh_sector_habit habit = FH_SECTOR_NO_HABIT;
    int64_t verdicts[3] = {0};
    for (size_t i = 0; i < 381; i++) {
        fh_cursor bytes = fh_cursor_make(img.raw.data + i * 2352, 2352, i * 2352);
        fh_sector sector;
        fh_sector_read(&sector, &bytes, 2352, &habit);
        fh_edc_verdict edc = fh_edc_check(&bytes, 2352, sector.kind);
        verdicts[edc]++;
        cr_assert(i >= 16 || edc != FH_EDC_WRONG, "sector %zu", i);
    }
    printf("# EDC right %d, wrong %d, absent %d\n", (int)verdicts[0], (int)verdicts[1],
           (int)verdicts[2]);
    cr_assert(verdicts[FH_EDC_RIGHT] >= 12);
    image_free(&img);
}

/* Every stored code is held against the computed one. The licence area was pressed with both, but
 * for one byte of Q in sector 7; the tool filled all that lies behind. */
Test(real, psxsnake_codes)
{
    image img = load(open_sample("discs/psxsnake.bin"));
    for (size_t i = 0; i < 381; i++) {
        const fh_cursor bytes = fh_cursor_make(img.raw.data + i * 2352, 2352, i * 2352);
        const bool form2 = i >= 12 && i < 16;
        const fh_codes codes =
            fh_codes_check(&bytes, 2352, form2 ? FH_SECTOR_FORM2 : FH_SECTOR_FORM1);
        if (form2) {
            cr_assert(eq(int, codes.edc, FH_CODE_NONE), "sector %zu", i);
            continue;
        }
        cr_assert(eq(int, codes.edc, i < 16 ? FH_CODE_RIGHT : FH_CODE_FILL), "sector %zu", i);
        const fh_code_verdict ecc = i == 7 ? FH_CODE_WRONG : i < 16 ? FH_CODE_RIGHT : FH_CODE_FILL;
        cr_assert(eq(int, codes.ecc, ecc), "sector %zu", i);
        if (i == 7) {
            cr_assert(eq(sz, codes.ecc_off, 0x8df));
            cr_assert(codes.is_q);
        }
    }
    image_free(&img);
}
