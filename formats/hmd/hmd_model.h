/* An HMD as flat tables: blocks, coordinates, primitive headers, primitives and records.
 *
 * Reading and judging are kept apart: hmd_build fills the tables, the checks and the replay only
 * look at them. What records refer to stays in the bytes and is read through the cursor when it is
 * wanted. Everything lies in the arena of the candidate. Offsets are words from the start of the
 * asset, whether the file lies on disc or, mapped, in memory: pointers are normalised where they
 * are read, so that nothing behind that knows of addresses. Source of the layout: HMD Format
 * manual, corrected by what the library does and by real files.
 */
#ifndef FH_HMD_MODEL_H
#define FH_HMD_MODEL_H

#include "core/budget.h"
#include "core/cursor.h"
#include "core/format.h"
#include "core/limits.h"
#include "core/report.h"
#include "hmd/hmd_rules.h"

#include <stdbool.h>

#define HMD_WORD_LEN ((size_t)4)
#define HMD_MOST_WORDS ((uint32_t)(FH_MAX_ASSET_LEN / HMD_WORD_LEN))
#define HMD_FIXED_WORDS 4u       /* of the file header, before the block table */
#define HMD_UNIT_WORDS 20u       /* of a coordinate */
#define HMD_PRIMITIVE_WORDS 3u   /* of a primitive, before its records */
#define HMD_TERM 0xffffffffu     /* end of a chain of primitives */
#define HMD_MSB 0x80000000u      /* marks a pointer in a header; not yet mapped, not yet scanned */
#define HMD_NONE UINT32_MAX      /* no index, no offset */
#define HMD_NO_TYPE 0xffffffffu  /* a record whose type word has become a driver's address */
#define HMD_PHYSICAL 0x1fffffffu /* of an address: the rest chooses the segment */
#define HMD_KERNEL_LEN 0x10000u  /* bytes at the start of memory that are the kernel's */
#define HMD_RAM_LEN 0x800000u    /* of the largest machine, a development console; shops: 2 MiB */

/* Words of a coordinate unit. */
enum {
    HMD_FLAG_WORD = 0,
    HMD_MATRIX_WORD = 1, /* nine half words and a pad, then three words of translation at 6 */
    HMD_TRANS_WORD = 6,
    HMD_WORKM_WORD = 9, /* a matrix like the first one */
    HMD_ROT_WORD = 17,  /* three half words and a pad */
    HMD_SUPER_WORD = 19
};

enum hmd_category {
    HMD_POLYGONS = 0,
    HMD_SHARED = 1,
    HMD_IMAGES = 2,
    HMD_ANIMATION = 3,
    HMD_MIME = 4,
    HMD_GROUND = 5,
    HMD_ENVMAP = 6,
    HMD_DEVICE = 7,
    HMD_NUM_CATEGORIES = 8,
    HMD_CATEGORY_NULL = 16,   /* type 0, the null driver: skipped by its size */
    HMD_CATEGORY_FOREIGN = 17 /* another developer's, category 8..15, or not known: likewise */
};

#define HMD_TYPE_INI 0x00800000u /* of categories 0, 1, 3, 5, 6: set-up call before the scan */

/* How far the run-time has come with the bytes, in rising order. */
typedef enum hmd_stage {
    HMD_STAGE_FILE = 0,
    HMD_STAGE_MAPPED,      /* pointers are addresses */
    HMD_STAGE_SCANNED,     /* and type words are addresses of drivers */
    HMD_STAGE_COORDINATES, /* and parents are addresses */
    HMD_STAGE_PLAYING      /* and run-time values have been written */
} hmd_stage;

typedef struct hmd_header {
    uint32_t off;       /* of its size word; its arguments follow */
    uint32_t num_words; /* arguments, as in the file: a word that the coordinate mapping split off
                           is counted */
    bool is_used;       /* by a primitive */
    bool is_split;      /* memory: its size word no longer counts its last argument */
    uint8_t weights;    /* memory: 1 + the argument that may lead to the program's own, 0 = none */
    uint16_t numbers; /* memory: a bit for each argument that is a number, whatever it looks like */
} hmd_header;

typedef struct hmd_primitive {
    uint32_t off;
    uint32_t next;         /* index, HMD_NONE = last of its chain */
    uint32_t header;       /* index, HMD_NONE = its pointer hits none */
    uint32_t block;        /* first block that reaches it */
    uint32_t first_record; /* index */
    uint32_t num_records;
    uint32_t end; /* word behind its last record */
} hmd_primitive;

typedef struct hmd_record {
    uint32_t off;       /* of its type word */
    uint32_t type;      /* HMD_NO_TYPE where it is not known */
    uint32_t primitive; /* index */
    uint16_t size;      /* words behind the type word */
    uint16_t count;     /* without its flag */
    uint8_t category;   /* enum hmd_category, by type or, without one, inferred */
    uint8_t cut_as;     /* memory: where it leads out of the bytes with every type that its data
                           fit, 1 + the category of the one that does so least; else 0 */
    bool is_unplayable; /* memory: an animation some of whose functions have become addresses */
    bool is_inferred; /* memory: type is not what stands there, but one of those that its data fit;
                         they differ in nothing but what leaves no trace in the data */
} hmd_record;

/* Memory: the address of a driver, which stands for one type wherever it is met. */
typedef struct hmd_alias {
    uint32_t address;
    uint32_t type;        /* HMD_NO_TYPE where more than one fits, or none */
    uint8_t category;     /* HMD_CATEGORY_FOREIGN where not even that is known */
    uint32_t num_records; /* 0: it stands in interpolation tables only */
} hmd_alias;

typedef struct hmd_model {
    fh_cursor bytes; /* what there is from the start of the asset on, and no more than it can be */
    uint32_t num_words; /* whole words of bytes */

    hmd_stage stage;
    bool has_base;      /* memory: the pointers agree on base */
    bool is_folded;     /* memory: they do so only if RAM is seen again every 2 MiB */
    uint32_t base;      /* memory: address of word 0, physical (segment bits cleared) */
    uint32_t segment;   /* memory: segment bits of its pointers */
    bool is_unscanned;  /* type words are types */
    bool has_unit_maps; /* memory: parents are addresses */
    uint32_t num_aliases;
    hmd_alias *aliases; /* memory: in rising order of address */
    uint32_t least_end; /* memory: word behind what records of unknown type reach at least */

    uint32_t num_blocks;
    uint32_t *blocks;     /* index of the first primitive of each, HMD_NONE = empty */
    uint32_t coordinates; /* word of the count; units follow */
    uint32_t num_units;
    uint32_t *parents; /* unit of each unit's parent, HMD_NONE = root */
    uint32_t header_section;
    uint32_t headers_end; /* word behind the section */
    uint32_t num_headers;
    hmd_header *headers; /* in rising order of off */
    uint32_t num_primitives;
    hmd_primitive *primitives; /* in rising order of off */
    uint32_t num_records;
    hmd_record *records; /* in the order of their primitives */

    uint32_t end;     /* word behind the last one in use */
    bool has_endless; /* something refers to more than any asset holds; end leaves that out */

    /* Of each word below end; NULL in a probe. See hmd_reach.h. */
    uint8_t *owner;  /* enum hmd_owner */
    uint8_t *second; /* somebody else who claims it, NOBODY = none does */
    uint8_t *area;   /* whose contiguous area it lies in, bits */

    fh_in_memory in_memory; /* filled in by the checks */
} hmd_model;

static inline bool hmd_is_memory(const hmd_model *model)
{
    return model->stage != HMD_STAGE_FILE;
}

/* hmd_has tells whether num words from word `first` on lie inside the bytes. */
bool hmd_has(const hmd_model *model, uint64_t first, uint64_t num);

/* hmd_word reads a word; 0 outside the bytes. hmd_s16 reads a signed half word, 0 = low. */
uint32_t hmd_word(const hmd_model *model, uint32_t off);
int16_t hmd_s16(const hmd_model *model, uint32_t off, unsigned half);
static inline uint32_t hmd_low(uint32_t word)
{
    return word & 0xffff;
}
static inline uint32_t hmd_high(uint32_t word)
{
    return word >> 16;
}

/* hmd_unit returns the word of coordinate unit i. */
uint32_t hmd_unit(const hmd_model *model, uint32_t i);

/* hmd_units_end returns the word behind the last coordinate unit. hmd_is_front tells whether a word
 * belongs to what has a place of its own: the header, the block table, the coordinates and the
 * section of the primitive headers. Anything else may lie before that section or behind it. */
uint32_t hmd_units_end(const hmd_model *model);
bool hmd_is_front(const hmd_model *model, uint32_t off);

/* hmd_unit_at returns the index of the unit that starts at a word, or HMD_NONE. */
uint32_t hmd_unit_at(const hmd_model *model, uint32_t off);

/* hmd_address turns an address of memory into a word of the asset. false when it is not aligned or
 * lies before the asset; it may lie behind it. */
bool hmd_address(const hmd_model *model, uint32_t address, uint32_t *off);

/* hmd_is_address tells whether a word could be an address at all: aligned, and in a segment at
 * which a program sees the main memory. hmd_is_driver tells whether a type word has become the
 * address of a driver. hmd_alias_of returns what is known of that, or NULL. */
bool hmd_is_address(uint32_t word);
bool hmd_is_driver(const hmd_model *model, uint32_t word);
const hmd_alias *hmd_alias_of(const hmd_model *model, uint32_t address);

/* hmd_ram_address returns the address of word 0 as a program uses it; FH_UNKNOWN for a file. */
int64_t hmd_ram_address(const hmd_model *model);

/* hmd_is_unmapped tells whether a pointer of a memory image still is the offset that it was in the
 * file: the first 64 KiB of memory belong to the kernel. */
bool hmd_is_unmapped(const hmd_model *model, uint32_t pointer);

/* hmd_plain reads a plain pointer (a word offset in a file, an address in memory) as a word of the
 * asset; HMD_NONE for an address that cannot lie in it. 0 and TERM are for the caller. */
uint32_t hmd_plain(const hmd_model *model, uint32_t at);

/* An argument of a primitive header. */
typedef struct hmd_arg {
    uint32_t at;     /* word at which it stands, HMD_NONE if the header is too short */
    uint32_t raw;    /* as it stands there */
    bool is_there;   /* the header is long enough */
    bool is_pointer; /* it is marked as a pointer (memory: is an address) */
    uint32_t off;    /* the word it points at if is_pointer, HMD_NONE if it lies nowhere */
} hmd_arg;

/* hmd_arg_of reads argument `index` of a header; is_there is false for header HMD_NONE too. */
hmd_arg hmd_arg_of(const hmd_model *model, uint32_t header, uint32_t index);

/* hmd_header_at returns the index of the header whose size word stands at a word, or HMD_NONE;
 * hmd_primitive_at that of a primitive. */
uint32_t hmd_header_at(const hmd_model *model, uint32_t off);
uint32_t hmd_primitive_at(const hmd_model *model, uint32_t off);

/* hmd_is_unknown tells whether a record's type is not known: its word has become an address. A word
 * of 0xffffffff is none, but a type of another developer. */
bool hmd_is_unknown(const hmd_model *model, const hmd_record *record);

/* hmd_header_of returns the header of a record's primitive, or HMD_NONE. */
uint32_t hmd_header_of(const hmd_model *model, const hmd_record *record);

/* hmd_next_start returns the smallest word above `off` that something points at (sections,
 * primitives, headers), or num_words. It looks at every header: pay for num_headers. */
uint32_t hmd_next_start(const hmd_model *model, uint32_t off);

/* What the steps share: the model, where findings go, and the place that is being looked at. */
typedef struct hmd_check {
    hmd_model *model;
    fh_reporter *reporter; /* NULL: nothing is told (a probe) */
    fh_budget *budget;
    fh_arena *arena;
    bool at_end;       /* nothing follows the bytes */
    uint64_t wanted;   /* bytes from the start that would be needed to decide, 0 = none missing */
    bool stopped;      /* the budget is spent */
    bool no_memory;    /* the arena is full */
    uint32_t evidence; /* bits demanded by checks that passed */

    bool is_faulty; /* the structure does not hold; the first fault: */
    enum hmd_rule fault;
    uint32_t fault_at; /* byte */
    fh_status fault_status;

    /* The place; HMD_NONE and NULL where it does not apply. */
    uint32_t block;
    const hmd_primitive *primitive;
    const hmd_record *record;
    uint32_t packet;
    uint32_t unit;
    uint32_t sequence;
    uint32_t descriptor;
    int64_t frame; /* of the replay, FH_UNKNOWN */
} hmd_check;

/* hmd_check_make prepares a check without a place. */
hmd_check hmd_check_make(hmd_model *model, fh_reporter *reporter, fh_budget *budget,
                         fh_arena *arena);

/* hmd_tell reports a finding at word `at` and at the place of the check. Nothing is reported in a
 * probe, nor once the budget is spent or the arena full: half the work may find what is not there.
 */
void hmd_tell(const hmd_check *check, enum hmd_rule rule, const char *field, uint32_t at,
              fh_value found, fh_value expected);

/* hmd_tell_stop reports what stopped the work. */
void hmd_tell_stop(const hmd_check *check, enum hmd_rule rule, const char *field, uint32_t at);

/* hmd_tell_byte is hmd_tell at a byte. */
void hmd_tell_byte(const hmd_check *check, enum hmd_rule rule, const char *field, size_t off,
                   fh_value found, fh_value expected);

/* hmd_fault is hmd_tell for what breaks the structure; the first fault is kept. */
void hmd_fault(hmd_check *check, enum hmd_rule rule, fh_status status, const char *field,
               uint32_t at, fh_value found, fh_value expected);

/* hmd_need tells whether num words from `first` on lie inside the bytes. Where they do not but more
 * bytes may come, and an asset may be that long, it notes how many are wanted. */
bool hmd_need(hmd_check *check, uint64_t first, uint64_t num);

/* hmd_spend pays for work and notes when the budget is spent. */
bool hmd_spend(hmd_check *check, uint64_t units);

/* hmd_clear_place forgets the place. */
void hmd_clear_place(hmd_check *check);

/* hmd_for_each_record calls visit for every record in file order, with the place set. */
void hmd_for_each_record(hmd_check *check, void (*visit)(hmd_check *check, void *user), void *user);

#endif
