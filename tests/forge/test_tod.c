/* The TOD builder against bytes written by hand from the format's description. */
#include "forge/tod.h"
#include "forge/tod_text.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

/* Every packet line of the language, with every option it has. */
static const char every_line[] = "# comment\n"
                                 "tod resolution=2\n"
                                 "\n"
                                 "frame 0\n"
                                 "attr 1 0xffffffbf 0x40   # comment\n"
                                 "coord 2 abs r 4096 -4096 0 s 4096 -1 2 pad=0xabcd t 1 -2 3\n"
                                 "coord 0x102 diff t 5 6 7\n"
                                 "model 3 0x10007\n"
                                 "parent 4 world\n"
                                 "parent 4 3\n"
                                 "matrix 5 4096 0 -1 0 4096 0 0 0 4096 10 -20 30 pad=0x1234\n"
                                 "light 0 abs dir 1 2 3 rgb 0x11 0x22 0x33 pad=0x44\n"
                                 "light 1 diff rgb 1 2 3\n"
                                 "camera 0 abs view pos 1 2 3 4 5 6 twist 7\n"
                                 "camera 0 diff view twist -1\n"
                                 "camera 0 abs rt r 1 2 3 t 4 5 6\n"
                                 "camera 1 diff rt t 9 8 7\n"
                                 "create 1\n"
                                 "kill 1\n"
                                 "end\n"
                                 "packet 6 10 5 0xdeadbeef -1\n"
                                 "packet 7 1 2 len=9 flag=3 type=4 id=8\n"
                                 "word 0xcafebabe\n"
                                 "frame +3 size=0x1111 packets=0x2222\n"
                                 "tail\n"
                                 "zero 3\n"
                                 "byte 1 2\n"
                                 "word 0x55667788\n"
                                 "cut 1\n";

static const uint8_t every_byte[] = {
    0x50, 0x00, 0x02, 0x00, 0x02, 0x00, 0x00, 0x00, /* file: resolution 2, 2 frames */
    0x45, 0x00, 0x12, 0x00, 0x00, 0x00, 0x00, 0x00, /* frame: 69 words, 18 packets, number 0 */
    0x01, 0x00, 0x00, 0x03, 0xbf, 0xff, 0xff, 0xff, 0x40, 0x00, 0x00, 0x00, /* attr 1 */
    0x02, 0x00, 0xe1, 0x09,                                                 /* coord 2, RST */
    0x00, 0x10, 0x00, 0x00, 0x00, 0xf0, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, /* r */
    0x00, 0x10, 0xff, 0xff, 0x02, 0x00, 0xcd, 0xab,                         /* s, pad */
    0x01, 0x00, 0x00, 0x00, 0xfe, 0xff, 0xff, 0xff, 0x03, 0x00, 0x00, 0x00, /* t */
    0x02, 0x01, 0x91, 0x04,                                                 /* coord 258, dT */
    0x05, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00, /* */
    0x03, 0x00, 0x02, 0x02, 0x07, 0x00, 0x01, 0x00,                         /* model */
    0x04, 0x00, 0x03, 0x02, 0x00, 0x00, 0x00, 0x00,                         /* parent world */
    0x04, 0x00, 0x03, 0x02, 0x03, 0x00, 0x00, 0x00,                         /* parent 3 */
    0x05, 0x00, 0x04, 0x09,                                                 /* matrix */
    0x00, 0x10, 0x00, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, /* m00 .. m12 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x34, 0x12,                         /* m20 .. m22, pad */
    0x0a, 0x00, 0x00, 0x00, 0xec, 0xff, 0xff, 0xff, 0x1e, 0x00, 0x00, 0x00, /* t */
    0x00, 0x00, 0x66, 0x05,                                                 /* light 0 */
    0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, /* dir */
    0x11, 0x22, 0x33, 0x44,                                                 /* rgb, pad */
    0x01, 0x00, 0x56, 0x02, 0x01, 0x02, 0x03, 0x00,                         /* light 1, d rgb */
    0x00, 0x00, 0xc7, 0x08,                                                 /* camera 0, view */
    0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, /* position */
    0x04, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, /* reference */
    0x07, 0x00, 0x00, 0x00,                                                 /* twist */
    0x00, 0x00, 0xa7, 0x02, 0xff, 0xff, 0xff, 0xff,                         /* camera, d twist */
    0x00, 0x00, 0xd7, 0x07,                                                 /* camera, rt */
    0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, /* r */
    0x04, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, /* t */
    0x01, 0x00, 0xb7, 0x04,                                                 /* camera 1, dT */
    0x09, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00, /* */
    0x01, 0x00, 0x08, 0x01,                                                 /* create */
    0x01, 0x00, 0x18, 0x01,                                                 /* kill */
    0x00, 0x00, 0x0f, 0x01,                                                 /* end */
    0x06, 0x00, 0x5a, 0x03, 0xef, 0xbe, 0xad, 0xde, 0xff, 0xff, 0xff, 0xff, /* packet */
    0x08, 0x00, 0x34, 0x09,                                                 /* packet of lies */
    0xbe, 0xba, 0xfe, 0xca,                                                 /* word */
    0x11, 0x11, 0x22, 0x22, 0x03, 0x00, 0x00, 0x00,                         /* frame of lies */
    0x00, 0x00, 0x00, 0x01, 0x02, 0x88, 0x77, 0x66,                         /* tail, one cut off */
};

static void assert_bytes(const forge_tod *tod, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len && i < tod->out.len; i++) {
        cr_assert(eq(u8, tod->out.data[i], bytes[i]), "byte %zu", i);
    }
    cr_assert(eq(sz, tod->out.len, len));
}

static bool build(forge_tod *tod, forge_error *err, const char *text, size_t limit)
{
    *err = (forge_error){.kind = FORGE_OK};
    return forge_tod_text(tod, err, text, strlen(text), limit);
}

Test(forge_tod, every_line_gives_the_bytes_of_the_description)
{
    forge_tod tod;
    forge_error err;
    cr_assert(build(&tod, &err, every_line, FORGE_TOD_LIMIT), "%u: %s", err.line, err.text);
    assert_bytes(&tod, every_byte, sizeof every_byte);
    forge_tod_free(&tod);
}

Test(forge_tod, builder_fills_in_sizes_and_counts)
{
    static const uint8_t expected[] = {
        0x50, 0x00, 0x04, 0x00, 0x02, 0x00, 0x00, 0x00, /* two frames */
        0x03, 0x00, 0x01, 0x00, 0x07, 0x00, 0x00, 0x00, /* three words, one packet, number 7 */
        0x05, 0x00, 0x08, 0x01,                         /* create 5 */
        0x02, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, /* nothing happens */
    };
    forge_tod tod;
    forge_tod_begin(&tod, &(forge_tod_header){.id = 0x50, .resolution = 4}, FORGE_TOD_LIMIT);
    forge_tod_frame(&tod, 7, NULL);
    forge_tod_control(&tod, 5, false, NULL);
    forge_tod_frame(&tod, 8, NULL);
    forge_tod_finish(&tod);
    cr_assert(eq(int, (int)forge_tod_status(&tod), FORGE_TOD_OK));
    assert_bytes(&tod, expected, sizeof expected);
    forge_tod_free(&tod);
}

Test(forge_tod, header_may_lie)
{
    static const uint8_t expected[] = {0x51, 0x09, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff};
    forge_tod tod;
    forge_error err;
    cr_assert(build(&tod, &err, "tod id=0x51 version=9 count=0xffffffff", FORGE_TOD_LIMIT));
    assert_bytes(&tod, expected, sizeof expected);
    forge_tod_free(&tod);
}

Test(forge_tod, repeat_counts_from_zero_and_nests)
{
    static const uint8_t expected[] = {
        0x50, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, /* */
        0x04, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, /* frame 0 */
        0x01, 0x00, 0x08, 0x01, 0x02, 0x00, 0x08, 0x01, /* create 1, 2 */
        0x04, 0x00, 0x02, 0x00, 0x01, 0x00, 0x00, 0x00, /* frame 1 */
        0x01, 0x00, 0x08, 0x01, 0x02, 0x00, 0x08, 0x01, /* again */
    };
    forge_tod tod;
    forge_error err;
    cr_assert(build(&tod, &err,
                    "tod\nrepeat 2\n frame $\n repeat 2\n  create $+1\n endrepeat\nendrepeat\n",
                    FORGE_TOD_LIMIT));
    assert_bytes(&tod, expected, sizeof expected);
    forge_tod_free(&tod);
}

Test(forge_tod, cut_to_keeps_the_beginning)
{
    forge_tod tod;
    forge_error err;
    cr_assert(build(&tod, &err, "tod\nframe 0\ncut to 3\n", FORGE_TOD_LIMIT));
    cr_assert(eq(sz, tod.out.len, 3));
    forge_tod_free(&tod);
}

Test(forge_tod, limit_is_exact)
{
    forge_tod tod;
    forge_error err;
    cr_assert(build(&tod, &err, "tod\nframe 0\n", 16));
    forge_tod_free(&tod);
    cr_assert(not(build(&tod, &err, "tod\nframe 0\n", 15)));
    cr_assert(eq(int, (int)err.kind, FORGE_BAD));
    cr_assert(eq(u32, err.line, 2));
    cr_assert(eq(str, err.text, "the file grows past the output limit of 15 bytes"));
    forge_tod_free(&tod);
}

Test(forge_tod, errors_are_sticky_and_write_nothing_more)
{
    forge_tod tod;
    forge_tod_begin(&tod, &(forge_tod_header){.id = 0x50}, FORGE_TOD_LIMIT);
    forge_tod_word(&tod, 1);
    forge_tod_frame(&tod, 0, NULL);
    forge_tod_control(&tod, 1, false, NULL);
    cr_assert(eq(int, (int)forge_tod_status(&tod), FORGE_TOD_NO_FRAME));
    forge_tod_free(&tod);
}

Test(forge_tod, long_packet_needs_a_length_of_its_own)
{
    static const uint32_t words[255];
    forge_tod_lies lies = {.len_words = {.told = true, .value = 1}};
    forge_tod tod;
    forge_tod_begin(&tod, &(forge_tod_header){.id = 0x50}, FORGE_TOD_LIMIT);
    forge_tod_frame(&tod, 0, NULL);
    forge_tod_packet(&tod, 1, 9, 0, words, 254, NULL);
    forge_tod_packet(&tod, 1, 9, 0, words, 255, &lies);
    cr_assert(eq(int, (int)forge_tod_status(&tod), FORGE_TOD_OK));
    forge_tod_packet(&tod, 1, 9, 0, words, 255, NULL);
    cr_assert(eq(int, (int)forge_tod_status(&tod), FORGE_TOD_LONG_PACKET));
    forge_tod_free(&tod);
}
