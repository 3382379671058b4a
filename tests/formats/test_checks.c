/* The rules: for each one a file that breaks it and one that just does not. A case names all the
 * findings there are, in their order, so that a rule that fires too often fails as well. */
#include "bench.h"

#include <string.h>

#define TOD "tod resolution=4\n"
#define UNIT(id) "coord " id " r 0 0 0 s 4096 4096 4096 t 0 0 0\n"
#define MADE(id) "create " id "\n" UNIT(id)
#define PLAIN TOD "frame 0\n" MADE("1")

typedef struct rule_case {
    const char *text;
    const char *verify;
    const char *replay;
    fh_grade grade;
} rule_case;

#define C FH_GRADE_CANDIDATE
#define S FH_GRADE_STRUCTURE
#define R FH_GRADE_REFERENCES

static const rule_case cases[] = {
    {PLAIN, "", "", R},
    /* file */
    {"tod\nframe 0\n" MADE("1") "frame 1\nmodel 1 1", "0004 0013", "", R},
    {"tod\nframe 0\n" MADE("1"), "0004 0013", "", R},
    {"tod version=1\nframe 0\n" MADE("1"), "0003 0004", "", C},
    {"tod resolution=60\nframe 0\n" MADE("1"), "", "", R},
    {"tod resolution=61\nframe 0\n" MADE("1"), "0005", "", R},
    {PLAIN "tail\nzero 4", "0010", "", R},
    {PLAIN "tail\nzero 3", "0011 0010", "", R},
    {PLAIN "tail\nzero 3\nbyte 1", "0009", "", R},
    {PLAIN "tail\nbyte 1", "0011 0009", "", R},
    {TOD "frame 0", "0012 0030", "", C},
    {TOD "frame 0\npacket 1 9 0", "0014 0046", "", R},
    {TOD "frame 0\nend", "0014 0044", "", R},
    {TOD "frame 0\ncamera 0 view", "0014 0120 0121", "", R},
    {TOD "frame 0\nlight 0 flag=1", "0014 0113", "", R},
    /* frames */
    {TOD "frame 1\n" MADE("1"), "0027", "", R},
    {PLAIN "frame 1\nmodel 1 1", "", "", R},
    {PLAIN "frame 2\nmodel 1 1", "0028", "", R},
    {PLAIN "frame 2\nmodel 1 1\nframe 9\nmodel 1 1\nframe 10\nmodel 1 1", "0028", "", R},
    {PLAIN "frame 65536\nmodel 1 1", "0028", "", R},
    {PLAIN "frame 65537\nmodel 1 1", "0029 0028", "", R},
    {PLAIN "frame 4294967295\nmodel 1 1\nframe 0\nmodel 1 1", "0029 0026 0028", "", R},
    {PLAIN "frame 0\nmodel 1 1", "0026", "", R},
    {PLAIN "frame 5\nmodel 1 1\nframe 4\nmodel 1 1", "0026 0028", "", R},
    {PLAIN "frame 1\nframe 2", "0030", "", R},
    /* packets */
    {PLAIN "packet 1 5 7 0 0", "0042", "", R},
    {PLAIN "packet 1 14 0", "0043", "", R},
    {PLAIN "end", "0044", "", R},
    {PLAIN "end\nend", "0045 0044", "", R},
    {PLAIN "end\nframe 1\nmodel 1 1", "0045", "", R},
    {PLAIN "end\nframe 1", "0030 0045", "", R},
    {PLAIN "end flag=1", "0045", "", R},
    {PLAIN "end id=1", "0045", "", R},
    {PLAIN "packet 0 15 0 0", "0045", "", R},
    {PLAIN "packet 0 9 0\npacket 1 10 1\npacket 1 11 2 0\npacket 1 12 3\npacket 1 13 15",
     "0046 0046 0046 0046 0046", "", R},
    {PLAIN "attr 1 0xffffffff 0 flag=1\nmodel 1 1 flag=2\nparent 1 world flag=4", "0047 0047 0047",
     "", R},
    {PLAIN "matrix 1 4096 0 0 0 4096 0 0 0 4096 0 0 0 flag=8", "0047 0100", "", R},
    {PLAIN "light 2 rgb 1 2 3 flag=12", "0048", "", R},
    /* a wrong length: the header word is judged, the payload is not */
    {PLAIN "packet 1 0 1 8", "0041 0047", "", C},
    {PLAIN "packet 1 1 0 8", "0041 0080", "", C},
    {PLAIN "packet 0 1 8 1 2", "0041 0050 0061", "", C},
    {PLAIN "packet 1 4 0 1 2", "0041 0100", "0130", C},
    {PLAIN "packet 9 6 8 1 2", "0041 0048 0110 0113", "", C},
    {PLAIN "packet 0 7 0 1 2", "0041 0120 0121", "", C},
    {PLAIN "packet 1 8 5 1", "0041 0049", "", C},
    {PLAIN "packet 1 8 1 1", "0041 0064", "0130", C},
    {PLAIN "create 2 flag=2", "0049", "", S},
    {PLAIN "create 2 flag=15", "0049", "", S},
    {PLAIN "model 0 1", "0050 0061", "", S},
    {PLAIN "model 65535 1", "0050 0061", "", S},
    {PLAIN MADE("65534"), "0051", "", R},
    {PLAIN MADE("255"), "", "", R},
    {PLAIN MADE("256") "model 256 1", "0051", "", R},
    {PLAIN "light 65535 rgb 1 2 3", "0110", "", S},
    /* objects */
    {TOD "frame 0\ncoord 1 diff t 1 2 3", "0060", "", R},
    {TOD "frame 0\nlight 0 rgb 1 2 3", "", "", R},
    {PLAIN "model 2 1\nmodel 2 1", "0061", "", S},
    {PLAIN "model 2 1\ncreate 2\n" UNIT("2"), "0061", "", S},
    {PLAIN "create 1", "0062", "", R},
    {PLAIN "kill 2", "0064 0063", "", S},
    {PLAIN "kill 1", "0064", "0130", R},
    {PLAIN "kill 1\nkill 1", "0064 0064 0063", "0130", S},
    {PLAIN "kill 1\nmodel 1 1", "0064 0061", "0130", S},
    {PLAIN "kill 1\n" MADE("1"), "0064", "0130", R},
    {PLAIN MADE("2") "parent 2 1\nkill 1", "0064 0066 0095", "0130", R},
    {PLAIN MADE("2") "parent 2 1\nkill 2\nkill 1", "0064 0064", "0130", R},
    {PLAIN MADE("2") "parent 2 1\nparent 2 world\nkill 1", "0064", "0130", R},
    {PLAIN MADE("2") "parent 2 1\nparent 2 65535\nkill 1", "0064", "0130", R},
    {PLAIN MADE("2") MADE("3") "parent 2 1\nparent 2 3\nkill 1", "0064", "0130", R},
    {PLAIN "create 2", "0067", "", R},
    {PLAIN "create 2\ncoord 2", "0080 0067", "", R},
    {PLAIN "create 2\nmatrix 2 1 0 0 0 1 0 0 0 1 0 0 0", "0100", "0130", R},
    /* attributes */
    {PLAIN "attr 1 0xffffffbf 0x40", "", "", R},
    {PLAIN "attr 1 0xffffffbf 0x41", "0070", "", R},
    {PLAIN "attr 1 0 0xf00001fb", "", "", R},
    {PLAIN "attr 1 0 0x200", "0071", "", R},
    {PLAIN "attr 1 0 0x08000000", "0071", "", R},
    {PLAIN "attr 1 0 0x10000100", "", "", R},
    {PLAIN "attr 1 0 4", "0072", "", R},
    {PLAIN "attr 1 4 0x204", "0070 0071 0072", "", R},
    /* coordinates */
    {PLAIN "coord 1", "0080", "", R},
    {PLAIN "coord 1 diff", "0080", "", R},
    {PLAIN "coord 1 s 4096 4096 4096 pad=1", "0081", "", R},
    {PLAIN "create 2\ncoord 2 diff t 1 2 3", "", "0082 0134", R},
    {PLAIN "create 2\ncoord 2 diff r 360 0 0 s 1 1 1\ncoord 2 diff r 360 0 0", "", "0082 0134", R},
    {PLAIN "create 2\ncoord 2 s 4096 4096 4096\ncoord 2 diff s 4096 4096 4096", "", "", R},
    {PLAIN "create 2\ncoord 2 s 4096 4096 4096\ncoord 2 diff r 0 0 0", "", "0134", R},
    {PLAIN "create 2\ncoord 2 s 4096 4096 4096 r 0 0 0\ncoord 2 diff r 0 0 0", "", "", R},
    {PLAIN "create 2\ncoord 2 s 4096 4096 4096 r 0 0 0\ncoord 2 diff t 0 0 0", "", "0134", R},
    {PLAIN "coord 1 r 0 0 0", "", "", R},
    {PLAIN "coord 1 s 4096 4096 8192\ncoord 1 r 0 0 0\ncoord 1 r 0 0 0", "", "0083", R},
    {PLAIN "coord 1 s 4096 2048 4096\ncoord 1 r 0 0 0 s 1 1 1", "", "", R},
    {PLAIN "coord 1 s 2048 4096 4096\ncoord 1 r 0 0 0 t 0 0 0", "", "0083", R},
    {PLAIN "coord 1 s 4096 2048 4096\ncoord 1 r 0 0 0", "", "0083", R},
    {PLAIN "coord 1 s 0 -1 1", "0084 0085", "", R},
    {PLAIN "coord 1 diff s 4096 0 4096", "0084", "", R},
    {PLAIN "coord 1 r 11796479 -11796839 0", "", "", R},
    {PLAIN "coord 1 r 11796480 0 -11796840", "0086 0086", "", R},
    {PLAIN "coord 1 diff r 11796480 2147483520 0", "0086 0086", "", R},
    {PLAIN "coord 1 diff r 360 -720 0", "", "", R},
    {PLAIN "coord 1 diff r 0 359 361\ncoord 1 diff r 1 0 0", "0087", "", R},
    {PLAIN "coord 1 r 1 1 1", "", "", R},
    {PLAIN "coord 1 t 2147483647 0 -2147483648\ncoord 1 diff t 0 0 0", "", "", R},
    {PLAIN "coord 1 t 2147483647 0 -2147483648\ncoord 1 diff t 1 0 -1", "", "0088 0088", R},
    {PLAIN "coord 1 s 32767 32767 32767\ncoord 1 diff s 4096 4096 4096", "", "", R},
    {PLAIN "coord 1 s 32767 4096 4096\ncoord 1 diff s 4097 4096 4096", "", "0089", R},
    {PLAIN
     "coord 1 s 32767 4096 4096\ncoord 1 diff s 32767 4096 4096\ncoord 1 diff s 32767 4096 4096",
     "", "0089 0088", R},
    {PLAIN "coord 1 s 1 1 1 r 184320 0 0", "", "0133", R},
    {PLAIN "coord 1 s 4096 4096 4096 r 184320 0 0", "", "", R},
    /* model, parent, matrix */
    {PLAIN "model 1 65535", "", "", R},
    {PLAIN "model 1 65536", "0090", "", R},
    {PLAIN "parent 1 65535", "", "", R},
    {PLAIN "parent 1 65536", "0091", "", S},
    {PLAIN "parent 1 0x1ffff", "0091", "", S},
    {PLAIN MADE("2") "parent 2 1\nparent 2 0x10001", "0091", "", S},
    {PLAIN "parent 1 9", "0092", "", S},
    {PLAIN "parent 1 2\n" MADE("2"), "0092", "", S},
    {PLAIN MADE("2") "kill 2\nparent 1 2", "0064 0092", "0130", S},
    {TOD "frame 0\nparent 1 9", "0060 0093 0095", "", R},
    {TOD "frame 0\nparent 1 9\nparent 9 world", "0060", "", R},
    {TOD "frame 0\nparent 1 9\nmodel 9 1", "0060 0095", "", R},
    {TOD "frame 0\nparent 1 0x10009", "0091 0060", "", S},
    {PLAIN "parent 1 1", "0094 0095", "", S},
    {PLAIN MADE("2") "parent 1 2\nparent 2 1", "0094 0095", "", S},
    {PLAIN MADE("2") MADE("3") "parent 1 2\nparent 2 3\nparent 3 1", "0094 0095", "", S},
    {PLAIN MADE("2") MADE("3") "parent 1 2\nparent 2 3\nparent 1 3", "", "", R},
    {PLAIN MADE("2") "parent 1 2\nparent 1 world\nparent 2 1", "", "", R},
    {PLAIN MADE("2") "parent 1 2\nkill 2", "0064 0066 0095", "0130", R},
    {PLAIN MADE("2") MADE("3") "parent 1 2\nparent 2 3\nkill 2\nparent 3 1", "0064 0066 0094 0095",
     "0130", S},
    {PLAIN MADE("2") MADE("3") "parent 1 2\nkill 2\nparent 2 3\nparent 3 1", "0064 0066 0061 0095",
     "0130", S},
    {PLAIN MADE("2") "parent 1 2\nkill 2\n" MADE("3") "parent 3 1", "0064 0066 0094 0095", "0130",
     S}, /* object 3 is in the slot on which object 1 hangs */
    {PLAIN MADE("2") "parent 1 2\nparent 2 1\nparent 2 1\nparent 1 2", "0094 0095", "", S},
    {PLAIN MADE("2") MADE("3") "parent 1 2\nparent 2 1\nparent 3 1\nparent 2 3", "0094 0094 0095",
     "", S},
    {PLAIN MADE("2") "parent 1 2\nparent 2 1\nkill 1", "0064 0094 0066 0095", "0130", S},
    {PLAIN "parent 1 1\nkill 1", "0064 0094", "0130", S},
    {PLAIN MADE("2") "parent 1 2\ncreate 1\nparent 2 1", "0062 0094", "", S},
    {PLAIN MADE("2") "parent 1 2\ncreate 1\nkill 1\nparent 2 1\n" UNIT("1"), "0064 0062", "0130",
     R},
    {PLAIN "create 1\nkill 1", "0064 0062 0067", "0130", R},
    {"tod resolution=4\nframe 0\ncreate 1\ncreate 1\nkill 1\n" UNIT("1"), "0064 0062 0067", "0130",
     R},
    {PLAIN "create 1\n" MADE("2") "parent 2 1\nkill 1\nmodel 1 1", "0064 0062 0066 0067", "0130",
     R},
    {PLAIN "create 1\ncreate 1\nkill 1\nkill 1\nkill 1\nkill 1",
     "0064 0064 0064 0064 0062 0062 0067 0067 0063", "0130", S},
    {TOD "frame 0\nmodel 5 1\nkill 5\nparent 6 5", "0064 0060 0093 0095", "0130", R},
    {TOD "frame 0\nmodel 5 1\nkill 5\nmodel 5 1\nmodel 5 1", "0064 0060 0061", "0130", S},
    {TOD "frame 0\nparent 1 2\nparent 1 9\nparent 2 1", "0060 0093 0095", "", R},
    {TOD "frame 0\nparent 1 2\nkill 2\nparent 1 2", "0064 0060 0066 0093 0095", "0130", R},
    {PLAIN "matrix 1 4096 0 0 0 4096 0 0 0 4096 0 0 0", "0100", "", R},
    {PLAIN "matrix 1 1 2 3 4 5 6 7 8 10 0 0 0 pad=9", "0100 0101", "0130", R},
    {PLAIN "matrix 1 1 2 3 4 5 6 7 8 9 0 0 0", "0100 0102", "0130", R},
    {PLAIN "matrix 1 1 2 3 4 5 6 7 8 10 0 0 0\ncoord 1 diff t 1 0 0\ncoord 1 diff t 1 0 0", "0100",
     "0103", R},
    {PLAIN "matrix 1 1 2 3 4 5 6 7 8 10 0 0 0\ncoord 1 r 0 0 0\ncoord 1 diff t 1 0 0", "0100", "",
     R},
    {PLAIN "matrix 1 4096 0 0 0 4096 0 0 0 4096 0 0 0\ncoord 1 t 0 0 0\ncoord 1 diff t 1 0 0",
     "0100", "0103", R},
    /* lights, cameras */
    {PLAIN "light 2 dir 0 0 1 rgb 255 255 255", "", "", R},
    {PLAIN "light 3 dir 0 0 1", "0110", "", S},
    {PLAIN "light 0 dir 0 0 0", "", "0111", R},
    {PLAIN "light 0 dir 1 2 3\nlight 0 diff dir -1 -2 -3", "", "0111", R},
    {PLAIN "light 0 dir 1 2 3\nlight 0 diff dir -1 -2 -2", "", "", R},
    {PLAIN "light 0 dir 1 2 3\nlight 0 diff dir -1 -1 -3", "", "", R},
    {PLAIN "light 0 diff dir 10 0 0\nlight 0 diff dir -10 0 0", "", "", R},
    {PLAIN "light 0 diff dir 0 0 0\nlight 0 dir 0 0 1\nlight 0 diff dir 0 0 -1\n"
           "light 1 diff dir 0 0 0",
     "", "0111", R},
    {PLAIN "light 0 rgb 1 2 3 pad=1", "0112", "", R},
    {PLAIN "light 0 dir 1 1 1 rgb 1 2 3 pad=128", "0112", "", R},
    {PLAIN "light 0", "0113", "", R},
    {PLAIN "light 0 rgb 200 1 2\nlight 0 diff rgb 55 0 0", "", "", R},
    {PLAIN "light 0 rgb 200 1 255\nlight 0 diff rgb 56 0 1", "", "0114 0114", R},
    {PLAIN "camera 0 view pos 1 2 3 1 2 4", "0120", "", R},
    {PLAIN "camera 0 view pos 1 2 3 1 2 3", "0120 0122", "", R},
    {PLAIN "camera 0 view pos 1 2 3 0 2 3", "0120", "", R},
    {PLAIN "camera 0 diff view pos 1 2 3 1 2 3", "0120", "", R},
    {PLAIN "camera 0 rt r 1 1 1 t 1 1 1", "0120", "", R},
    {PLAIN "camera 0 view twist 5", "0120", "", R},
    {PLAIN "camera 0 view", "0120 0121", "", R},
    {PLAIN "camera 0 diff rt", "0120 0121", "", R},
    /* replay */
    {TOD "frame 0\nrepeat 50\ncreate $+1\ncoord $+1 r 0 0 0 s 4096 4096 4096 t 0 0 0\nendrepeat",
     "", "", R},
    {TOD "frame 0\nrepeat 51\ncreate $+1\ncoord $+1 r 0 0 0 s 4096 4096 4096 t 0 0 0\nendrepeat",
     "0065", "", R},
    {TOD "frame 0\nrepeat 51\ncreate $+1\ncoord $+1 r 0 0 0 s 4096 4096 4096 t 0 0 0\nendrepeat\n"
         "parent 1 51",
     "0065 0092", "", S},
    {TOD "frame 0\nrepeat 51\ncreate $+1\ncoord $+1 r 0 0 0 s 4096 4096 4096 t 0 0 0\nendrepeat\n"
         "kill 51\nkill 51",
     "0064 0064 0065 0063", "", S},
    {TOD "frame 0\nrepeat 50\ncreate $+1\ncoord $+1 r 0 0 0 s 4096 4096 4096 t 0 0 0\nendrepeat\n"
         "kill 7\n" MADE("51") "parent 1 51",
     "0064", "0130", R},
    {TOD "frame 0\nrepeat 51\nmodel $+1 1\nendrepeat", "0060", "0065", R},
    {PLAIN MADE("2") "parent 2 1\ncoord 1 s 16384 16384 16384\ncoord 2 s 8191 4096 4096", "", "",
     R},
    {PLAIN MADE("2") "parent 2 1\ncoord 1 s 16384 16384 16384\ncoord 2 s 8192 4096 4096\nframe "
                     "1\nmodel 2 1",
     "", "0132", R},
    {PLAIN MADE("2") "parent 2 1\ncoord 1 t 2147483647 0 0\ncoord 2 t 1 0 0", "", "0132", R},
    /* what is told once an object does not keep anything else from being told of it */
    {PLAIN "create 2\ncoord 2 diff r 0 0 0\ncoord 2 r 0 0 0 s 4096 4096 8192 t 0 0 0\n"
           "coord 2 r 0 0 0\nmatrix 2 1 2 3 4 5 6 7 8 10 0 0 0\ncoord 2 diff t 0 0 0\n"
           "coord 2 r 184320 0 0 s 1 1 1 t 1 0 0\nparent 2 1\ncoord 1 t 2147483647 0 0",
     "0100", "0082 0134 0083 0103 0133 0132", R},
    /* a profile that sees something else; both see the same when the object is not there */
    {PLAIN "matrix 2 1 2 3 4 5 6 7 8 10 0 0 0", "0100 0061", "", S},
    {PLAIN "frame 1\nkill 2\nframe 2\nkill 1\nframe 3\nkill 1", "0064 0064 0064 0063 0063", "0130",
     S},
};

Test(rules, each_on_both_sides_of_its_edge)
{
    bench b;
    bench_open(&b);
    size_t num_bad = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const rule_case *c = &cases[i];
        forge_tod tod = bench_build(c->text);
        bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
        bool good = (b.status == FH_OK) == (c->grade != C) && b.asset.grade == c->grade &&
                    strcmp(record_codes(&b.verify), c->verify) == 0;
        if (!good) {
            cr_log_error("%s\n  verify: status %d grade %d codes '%s', not grade %d codes '%s'",
                         c->text, b.status, b.asset.grade, record_codes(&b.verify), c->grade,
                         c->verify);
        }
        if (b.model != NULL) {
            bench_replay(&b, &(fh_replay_options){0});
            if (b.replay_status != FH_OK || strcmp(record_codes(&b.replay), c->replay) != 0) {
                cr_log_error("%s\n  replay: '%s', not '%s'", c->text, record_codes(&b.replay),
                             c->replay);
                good = false;
            }
        }
        num_bad += good ? 0 : 1;
        forge_tod_free(&tod);
    }
    bench_close(&b);
    cr_assert(eq(sz, num_bad, 0));
}

/* The place and the words of a finding of each kind. */
typedef struct evidence {
    const char *text;
    const char *code;
    bool replay;
    int64_t offset, frame, number, object;
    const char *field, *found, *expected, *context;
} evidence;

static const evidence words[] = {
    {"tod\nframe 0\n" MADE("1") "frame 1\nmodel 1 1", "TOD0004", false, 2, -1, -1, -1, "resolution",
     "0 ticks", "", ""},
    {"tod\nframe 0\n" MADE("1") "frame 1\nmodel 1 1", "TOD0013", false, 4, -1, -1, -1,
     "map flag of an HMD", "2, which breaks HMD0003", "0 or 1", ""},
    {"tod\nframe 1\n" MADE("1"), "TOD0013", false, 12, -1, -1, -1, "number of blocks of an HMD",
     "1, which breaks HMD0006", "at least 2", ""},
    {"tod\nframe 10\n" MADE("1"), "TOD0013", false, 12, -1, -1, -1, "number of blocks of an HMD",
     "10, which breaks HMD0007", "at most 9, to lie in the data", ""},
    {"tod\nframe 9\n" MADE("1"), "TOD0013", false, 8, -1, -1, -1,
     "primitive header pointer of an HMD", "0x2000c, which breaks HMD0170",
     "an address behind the coordinates, which leads to primitive headers", ""},
    {"tod\nframe 2\nrepeat 32768\npacket 1 9 0\nendrepeat", "TOD0013", false, 8, -1, -1, -1,
     "primitive header pointer of an HMD", "0x80008002, which breaks HMD0170 or a later check",
     "an address behind the coordinates, which leads to primitive headers", ""},
    {PLAIN "tail\nzero 3\nbyte 1", "TOD0009", false, 56, -1, -1, -1, "bytes behind the last frame",
     "4, not all 0", "0", ""},
    {PLAIN "tail\nword 0x50 1 0x10003 0 0x01080001", "TOD0009", false, 56, -1, -1, -1,
     "bytes behind the last frame", "20, which begin with another TOD", "0", ""},
    {PLAIN "tail\nbyte 1", "TOD0011", false, 56, -1, -1, -1, "file length", "57 bytes",
     "a multiple of 4 bytes", ""},
    {PLAIN "frame 3\nmodel 1 1\nframe 9\nmodel 1 1", "TOD0028", false, 60, 1, 3, -1, "frame number",
     "behind a gap of 2 numbers, the first of 2 gaps", "1", ""},
    {PLAIN "frame 70000\nmodel 1 1\nframe 70003\nmodel 1 1", "TOD0028", false, 60, 1, 70000, -1,
     "frame number", "behind a gap of 69999 numbers, the first of 2 gaps", "1", ""},
    {PLAIN "frame 70000\nmodel 1 1", "TOD0029", false, 60, 1, 70000, -1, "frame number", "70000",
     "at most 65535 numbers skipped behind 0", ""},
    {PLAIN "frame 0\nmodel 1 1", "TOD0026", false, 60, 1, 0, -1, "frame number", "0",
     "above 0, its predecessor's", ""},
    {PLAIN "frame 1\nframe 2", "TOD0030", false, 58, 1, 1, -1, "number of packets",
     "0, as in 1 frames behind this one", "", ""},
    {TOD "frame 8\n" MADE("1"), "TOD0027", false, 12, 0, 8, -1, "frame number", "8", "0", ""},
    {PLAIN "frame 4\nmodel 1 1\nattr 1 4 0x204", "TOD0071", false, 80, 1, 4, 1, "attribute value",
     "0x204", "0x4", "packet 1, type 0, flag 0"},
    {PLAIN "coord 1 s 4096 4096 0", "TOD0084", false, 64, 0, 0, 1, "scale z", "0",
     "not 0 (4096 is 1.0)", "packet 2, type 1, flag 4"},
    {PLAIN "coord 1 r 0 11796480 0 s 1 1 1", "TOD0086", false, 64, 0, 0, 1, "rotation y",
     "11796480", "from -11796839 to 11796479", "packet 2, type 1, flag 6"},
    {PLAIN "light 0 dir 1 1 1 rgb 1 2 3 pad=128", "TOD0112", false, 72, 0, 0, -1, "colour word",
     "0x80030201", "0x30201", "packet 2, type 6, flag 6, light 0"},
    {PLAIN "camera 7 view pos 1 2 3 1 2 3", "TOD0122", false, 72, 0, 0, -1, "point looked at",
     "(1, 2, 3), the camera's own position", "another point", "packet 2, type 7, flag 4, camera 7"},
    {PLAIN "create 1", "TOD0062", false, 56, 0, 0, 1, "object id", "1, which is live",
     "an id not created in frame 0", "packet 2, type 8, flag 0"},
    {PLAIN "frame 1\nkill 1\nframe 2\nmodel 1 1", "TOD0061", false, 76, 2, 2, 1, "object id",
     "killed in frame 1", "an object that this file has created", "packet 0, type 2, flag 0"},
    {PLAIN MADE("5") "parent 5 1\nkill 1", "TOD0066", false, 104, 0, 0, 1, "object id",
     "the parent of object 5", "an object without children", "packet 5, type 8, flag 1"},
    {PLAIN "frame 1\ncreate 9\nframe 2\nmodel 9 1", "TOD0067", false, 64, 1, 1, 9, "object id",
     "9, created here", "a coordinate or matrix packet for it", "packet 0, type 8, flag 0"},
    {PLAIN MADE("2") MADE("3") "parent 1 2\nparent 2 3\nparent 3 1", "TOD0094", false, 156, 0, 0, 3,
     "parent chain", "3 under 1 under 2 under 3", "a chain that ends at the World",
     "packet 8, type 3, flag 0"},
    {PLAIN MADE("2") MADE("3") "parent 1 2\nparent 2 3\nkill 2\nparent 3 1", "TOD0094", false, 160,
     0, 0, 3, "parent chain", "3 under 1 under 2 (killed) under 3",
     "a chain that ends at the World", "packet 9, type 3, flag 0"},
    {TOD "frame 0\nmodel 5 1\nframe 1\nkill 5\nparent 6 5", "TOD0093", false, 40, 1, 1, 6,
     "parent id", "5, killed in frame 1", "the id of an object in use", "packet 1, type 3, flag 0"},
    {TOD "frame 0\nmodel 5 1\nkill 5\nframe 1\nmodel 5 1", "TOD0061", false, 36, 1, 1, 5,
     "object id", "killed in frame 0", "an object that this file has not killed",
     "packet 0, type 2, flag 0"},
    {PLAIN "parent 1 9", "TOD0092", false, 60, 0, 0, 1, "parent id", "9, which is not live",
     "0 (World) or a live object", "packet 2, type 3, flag 0"},
    {TOD "frame 0\nparent 1 9", "TOD0060", false, 0, -1, -1, -1, "create packets",
     "0, with 1 objects used", "", ""},
    {PLAIN "coord 1 diff r 0 359 361", "TOD0087", false, 64, 0, 0, 1, "differential rotation",
     "359", "a multiple of 360", "packet 2, type 1, flag 3"},
    {PLAIN "coord 1 t 0 0 -2147483648\ncoord 1 diff t 0 0 -1", "TOD0088", true, 84, 0, 0, 1,
     "translation sum", "-2147483648 + -1", "a signed 32-bit number", "packet 3, type 1, flag 9"},
    {PLAIN "coord 1 s 4096 4096 8192\ncoord 1 r 0 0 0", "TOD0083", true, 68, 0, 0, 1, "scale",
     "earlier one, (4096, 4096, 8192), lost from the matrix", "S in the same packet",
     "packet 3, type 1, flag 2"},
    {PLAIN "frame 5\nkill 1", "TOD0130", true, 64, 1, 5, 1, "pose", "different in 1.30 and 1.31",
     "", "packet 0, type 8, flag 1"},
    {PLAIN
     "matrix 1 1 2 3 4 5 6 7 8 10 0 0 0\ncoord 1 r 0 0 0 s 4096 4096 4096 t 0 0 0\nmodel 1 1\n"
     "matrix 1 1 2 3 4 5 6 7 8 10 0 0 0\nmodel 1 1",
     "TOD0130", true, 136, 0, 0, 1, "pose", "different in 1.30 and 1.31", "",
     "packet 5, type 4, flag 0"},
    {PLAIN "attr 1 0xffffffbf 0x41", "TOD0070", false, 64, 0, 0, 1, "attribute value",
     "0x41 with the mask 0xffffffbf", "0x40", "packet 2, type 0, flag 0"},
    {PLAIN "matrix 1 1 2 3 -4 5 6 0 0 0 0 0 0", "TOD0102", false, 60, 0, 0, 1, "determinant",
     "0, of the rows 1 2 3, -4 5 6, 0 0 0", "not 0", "packet 2, type 4, flag 0"},
    {PLAIN
     "coord 1 s 4096 32767 4096\ncoord 1 diff s 4096 32767 4096\ncoord 1 diff s 4096 32767 4096",
     "TOD0088", true, 84, 0, 0, 1, "scale product", "262128 * 32767", "a signed 32-bit number",
     "packet 4, type 1, flag 5"},
    {PLAIN
     "coord 1 s 4096 4096 32767\ncoord 1 diff s 4096 4096 32767\ncoord 1 diff s 4096 4096 32767",
     "TOD0088", true, 88, 0, 0, 1, "scale product", "262128 * 32767", "a signed 32-bit number",
     "packet 4, type 1, flag 5"},
    {PLAIN "coord 1 s 1 1 1 r 184320 0 0", "TOD0133", true, 8, 0, 0, 1, "determinant", "0", "not 0",
     ""},
    {PLAIN "light 0 rgb 200 1 255\nlight 0 diff rgb 0 0 1", "TOD0114", true, 68, 0, 0, -1,
     "colour sum", "255 + 1", "at most 255", "packet 3, type 6, flag 5, light 0"},
    {TOD "frame 0\nrepeat 52\nmodel $+1 1\nendrepeat", "TOD0065", true, 0, -1, -1, -1,
     "object table", "full: 2 assumed objects without a slot",
     "a free slot (50 in the sample players)", ""},
};

static int64_t or_unknown(int64_t value)
{
    return value < 0 ? FH_UNKNOWN : value;
}

Test(rules, evidence_names_the_place_and_the_values)
{
    bench b;
    bench_open(&b);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const evidence *e = &words[i];
        forge_tod tod = bench_build(e->text);
        bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
        if (e->replay) {
            bench_replay(&b, &(fh_replay_options){0});
        }
        const fh_finding *f = record_find(e->replay ? &b.replay : &b.verify, e->code);
        HOLD(f->offset == e->offset, "%s: %s: offset %d", e->text, e->code, (int)f->offset);
        HOLD(f->frame == or_unknown(e->frame), "%s: %s: frame %d", e->text, e->code, (int)f->frame);
        HOLD(f->frame_number == or_unknown(e->number), "%s: %s: number %d", e->text, e->code,
             (int)f->frame_number);
        HOLD(f->object == or_unknown(e->object), "%s: %s: object %d", e->text, e->code,
             (int)f->object);
        HOLD(strcmp(f->field, e->field) == 0, "%s: %s: %s", e->text, e->code, f->field);
        HOLD(strcmp(f->found, e->found) == 0, "%s: %s: found %s", e->text, e->code, f->found);
        HOLD(strcmp(f->expected, e->expected) == 0, "%s: %s: expected %s", e->text, e->code,
             f->expected);
        HOLD(strcmp(f->context, e->context) == 0, "%s: %s: context %s", e->text, e->code,
             f->context);
        forge_tod_free(&tod);
    }
    bench_close(&b);
}

Test(rules, options_of_verify)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build(PLAIN "tail\nbyte 1");
    bench_verify(&b, tod.out.data, tod.out.len,
                 (fh_verify_options){.stand_alone = false, .aligned = true});
    cr_assert(eq(str, (char *)record_codes(&b.verify), ""));
    cr_assert(eq(sz, b.asset.length, tod.out.len - 1));
    bench_verify(&b, tod.out.data, tod.out.len,
                 (fh_verify_options){.stand_alone = false, .aligned = false});
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0011"));
    bench_verify(&b, tod.out.data, tod.out.len,
                 (fh_verify_options){.stand_alone = true, .aligned = false});
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0011 0009"));
    forge_tod_free(&tod);
    bench_close(&b);
}

/* Structure is lost by what refers to nothing, and by nothing else. */
Test(rules, a_long_cycle_is_cut_in_its_message)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build(
        TOD
        "frame 0\nrepeat 40\ncreate $+1\ncoord $+1 r 0 0 0 s 4096 4096 4096 t 0 0 0\nendrepeat\n"
        "repeat 39\nparent $+2 $+1\nendrepeat\nparent 1 40");
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0094 0095"));
    const fh_finding *f = record_find(&b.verify, "TOD0094");
    cr_assert(eq(sz, strlen(f->found), FH_EVIDENCE_LEN - 1));
    cr_assert(eq(str, (char *)f->found + FH_EVIDENCE_LEN - 4, "..."));
    forge_tod_free(&tod);
    bench_close(&b);
}

Test(rules, a_rule_broken_often_is_told_twenty_times_and_counted)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build(PLAIN "repeat 100\nmodel 1 0x10000\nlight 0 dir 0 0 0\nendrepeat");
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
    cr_assert(eq(sz, record_count(&b.verify, "TOD0090"), 21));
    cr_assert(eq(str, b.verify.findings[20].found, "80, not listed"));
    bench_replay(&b, &(fh_replay_options){0});
    cr_assert(eq(sz, record_count(&b.replay, "TOD0111"), 21));
    forge_tod_free(&tod);
    bench_close(&b);
}

/* The child of a killed object is looked for as long as it is told. */
Test(rules, objects_that_lose_their_parents_often)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build("tod resolution=1\nframe 0\nrepeat 25\ncreate 1\ncreate 2\n"
                                "parent 2 1\nkill 1\nkill 2\nendrepeat");
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){.stand_alone = true});
    /* The last one counts the rest. */
    cr_expect(eq(sz, record_count(&b.verify, "TOD0066"), FH_MAX_FINDINGS_PER_RULE + 1));
    record told = {0};
    fh_sink all = record_sink(&told);
    all.tells_all = true;
    fh_arena arena = fh_arena_make(b.block, BENCH_ARENA);
    fh_budget budget = {BENCH_BUDGET};
    const fh_env env = {&arena, &budget, &all};
    fh_asset asset;
    const void *model = NULL;
    cr_assert(
        eq(int,
           (int)b.format->verify(&asset, &model, &env, fh_cursor_make(tod.out.data, tod.out.len, 0),
                                 &(fh_verify_options){.stand_alone = true}),
           (int)FH_OK));
    cr_expect(eq(sz, record_count(&told, "TOD0066"), 25));
    for (size_t i = 0; i < told.num_findings; i++) {
        HOLD(strcmp(told.findings[i].rule->code, "TOD0066") != 0 ||
                 strcmp(told.findings[i].found, "the parent of object 2") == 0,
             "%zu: %s", i, told.findings[i].found);
    }
    record_free(&told);
    forge_tod_free(&tod);
    bench_close(&b);
}

Test(rules, every_object_id_there_is)
{
    bench b;
    bench_open(&b);
    forge_tod tod;
    forge_tod_begin(&tod, &(forge_tod_header){.id = 0x50, .resolution = 4}, 1 << 20);
    for (uint32_t id = 0; id < 65536; id++) {
        if (id % 32768 == 0) {
            forge_tod_frame(&tod, id / 32768, NULL);
        }
        forge_tod_control(&tod, (uint16_t)id, false, NULL);
    }
    forge_tod_finish(&tod);
    HOLD(forge_tod_status(&tod) == FORGE_TOD_OK, "forge");
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
    cr_assert(eq(int, (int)b.status, FH_OK));
    cr_assert(eq(u32, b.asset.objects, 65536));
    /* What the hunt gives a candidate is enough: here, and for the largest table of a player. */
    bench_replay(&b, &(fh_replay_options){.num_slots = FH_PLAYER_MAX_SLOTS, .world = true});
    cr_assert(eq(int, (int)b.replay_status, FH_OK));
    cr_assert(eq(int, (int)b.result.state, FH_REPLAY_COMPLETE));
    cr_assert(le(sz, b.arena.used, FH_ARENA_FLOOR + FH_ARENA_PER_BYTE * tod.out.len));
    cr_assert(le(u64, BENCH_BUDGET - b.budget.left,
                 (FH_BUDGET_FLOOR + FH_BUDGET_PER_BYTE * tod.out.len) *
                     (1 + FH_PLAYER_MAX_SLOTS / FH_PLAYER_SLOTS)));
    forge_tod_free(&tod);
    bench_close(&b);
}
