/* The bytes around a field: rows, brackets, carets. */
#include "reports/field_view.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static int64_t place(void *user, size_t off)
{
    const int64_t *start = user;
    return *start < 0 ? -1 : *start + (int64_t)off;
}

typedef bool (*writer)(fh_out *out, const fh_field_view *view);

static bool write_hex(fh_out *out, const fh_field_view *view)
{
    fh_view_hex(out, view);
    return true;
}

static void hold(writer write, const void *bytes, size_t len, size_t off, size_t field_len,
                 int64_t start, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    fh_out out = fh_out_make(file);
    uint8_t *copy = malloc(len + 1); /* a read behind the bytes is one behind the block */
    memcpy(copy, bytes, len);
    copy = realloc(copy, len > 0 ? len : 1);
    const fh_field_view view = {copy, len, off, field_len, ">", place, &start};
    const bool is_written = write(&out, &view);
    cr_assert(eq(int, fh_out_end(&out), 0));
    (void)fclose(file);
    cr_expect(eq(str, text, (char *)(is_written ? expected : "")), "field at %zu", off);
    cr_expect(is_written == (expected[0] != '\0'));
    free(copy);
    free(text);
}

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\n\x7f"
                              "0123456789";

Test(field_view, hex)
{
    hold(write_hex, letters, 20, 0, 4, 0x100,
         ">0x00000100  +0x0000  [41 42 43 44]45 46 47 48 49 4a 4b 4c 4d 4e 4f 50  "
         "|ABCDEFGHIJKLMNOP|\n"
         ">0x00000110  +0x0010   51 52 53 54                                      |QRST|\n");
    hold(write_hex, letters, 64, 0x2c, 4, -1,
         ">+0x0010   51 52 53 54 55 56 57 58 59 5a 61 62 63 64 65 66  |QRSTUVWXYZabcdef|\n"
         ">+0x0020   67 68 69 6a 6b 6c 6d 6e 6f 70 71 72[73 74 75 76] |ghijklmnopqrstuv|\n"
         ">+0x0030   77 78 79 7a 30 31 32 33 34 35 36 37 38 39 0a 7f  |wxyz0123456789..|\n");
    hold(write_hex, letters, 16, 14, 4, -1,
         ">+0x0000   41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e[4f 50] |ABCDEFGHIJKLMNOP|\n");
}

/* What is missing is shown, too. */
Test(field_view, behind_the_end)
{
    hold(write_hex, letters, 2, 1, 3, -1,
         ">+0x0000   41[42 -- --]                                     |AB|\n");
    hold(write_hex, letters, 16, 16, 4, -1,
         ">+0x0000   41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f 50  |ABCDEFGHIJKLMNOP|\n"
         ">+0x0010  [-- -- -- --]                                     ||\n");
}

Test(field_view, four_rows)
{
    static const uint8_t zeros[4096];
    for (size_t off = 0; off < sizeof zeros + 4; off += 4) {
        char *text = NULL;
        size_t size = 0;
        FILE *file = open_memstream(&text, &size);
        fh_out out = fh_out_make(file);
        int64_t start = 0;
        const fh_field_view view = {zeros, sizeof zeros, off, 4, "", place, &start};
        fh_view_hex(&out, &view);
        cr_assert(eq(int, fh_out_end(&out), 0));
        (void)fclose(file);
        size_t rows = 0;
        for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++) {
            rows++;
        }
        cr_expect(rows <= 4 && rows >= 2 && strchr(text, '[') != NULL, "%zu: %zu rows", off, rows);
        free(text);
    }
}

Test(field_view, line)
{
    hold(fh_view_line, "a b\r\nc\td\n", 9, 7, 1, 0, ">c d\n>  ^\n");
    hold(fh_view_line, "a b", 3, 3, 1, 0, ">a b\n>   ^\n");
    hold(fh_view_line, "a\x07 b", 4, 1, 1, 0, ">a. b\n> ^\n");
    hold(fh_view_line, "a\x07 b", 4, 2, 1, 0, "");
    hold(fh_view_line, "a\n\nb", 4, 2, 1, 0, "");
    hold(fh_view_line, "a", 1, 2, 1, 0, "");
    hold(fh_view_line, letters, 62, 50, 1, 0,
         ">MNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\n"
         ">                                      ^\n");
}

static bool write_binary_field(fh_out *out, const fh_field_view *view)
{
    fh_view_field(out, view, false, "a\nfield");
    return true;
}

static bool write_text_field(fh_out *out, const fh_field_view *view)
{
    fh_view_field(out, view, true, "word");
    return true;
}

/* One row, and the caret below the first digit of the field. */
Test(field_view, short_row)
{
    hold(write_binary_field, letters, 40, 18, 2, 0x100,
         ">0x00000110   51 52[53 54]55 56 57 58 59 5a 61 62 63 64 65 66  |QRSTUVWXYZabcdef|\n"
         ">                   ^ a\\nfield\n");
    hold(write_binary_field, letters, 20, 20, 4, -1,
         "> 51 52 53 54[-- -- -- --]                         |QRST|\n"
         ">             ^ a\\nfield\n");
}

Test(field_view, short_text)
{
    static const char little[] = "a\0 \0b\0\n\0c\0d\0\xe9\x30";
    static const char big[] = "\0a\0 \0b\0\n\0c\0d\x30\xe9";
    hold(write_text_field, "a b\r\nc\td\n", 9, 7, 1, 0, ">c d\n>  ^ word\n");
    hold(write_text_field, little, sizeof little - 1, 10, 1, 0, ">cd?\n> ^ word\n");
    hold(write_text_field, big, sizeof big - 1, 10, 1, 0, ">cd?\n> ^ word\n");
    hold(write_text_field, "\x80\xff\x90", 3, 1, 1, 0, /* no text that can be shown */
         ">0x00000000   80[ff]90                                         |...|\n"
         ">                ^ word\n");
}

/* A line that is shown may not be a command to a build service that reads the log. */
Test(field_view, commands)
{
    hold(fh_view_line, "::error ##[group]", 17, 2, 1, -1, ">.:error .#[group]\n>  ^\n");
    hold(fh_view_line, "a:b #c", 6, 2, 1, -1, ">a:b #c\n>  ^\n");
    hold(write_hex, "##vso[a]::", 10, 0, 1, -1,
         ">+0x0000  [23]23 76 73 6f 5b 61 5d 3a 3a                    |.#vso[a].:|\n");
}
