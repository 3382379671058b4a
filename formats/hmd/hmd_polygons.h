/* The packets of a polygon record, one after the other.
 *
 * Records of categories 0, 1 and 6 point at a run of packets in a polygon section; the layout of a
 * packet hangs on the type alone (hmd_packets.h). Only packets that lie inside the bytes as a whole
 * are handed out; of a mesh that no asset can hold only the one that says so, and of other runs that
 * none can hold nothing: how much of them there is would hang on where the bytes end.
 */
#ifndef FH_HMD_POLYGONS_H
#define FH_HMD_POLYGONS_H

#include "hmd/hmd_packets.h"
#include "hmd/hmd_refs.h"

/* Arguments of the primitive header that hold what a record's packets refer to. */
typedef struct hmd_polygon_args {
    uint8_t polygons, vertices, normals;
    enum hmd_owner vertex_owner, normal_owner;
} hmd_polygon_args;

hmd_polygon_args hmd_polygon_args_of(const hmd_record *record);

/* hmd_is_precalculation tells whether a record fills calculated vertices and normals. */
bool hmd_is_precalculation(const hmd_record *record);

/* A run of packets. */
typedef struct hmd_polygons {
    const hmd_packet_layout *layout; /* NULL: not known, no packet is handed out */
    hmd_arg section;                 /* of the polygons */
    uint32_t index;                  /* POLY IDX as it stands in the record */
    uint64_t first;                  /* word of the first packet */
    uint64_t off;                    /* word behind the last packet that was handed out */
    uint32_t num_left;               /* packets, or meshes, that have not begun */
    uint32_t num_more;               /* further packets of the mesh that has */
    uint64_t num_missing;            /* words of the packet that did not lie inside the bytes and
                                        of those behind it, at least; 0 while all do */
} hmd_polygons;

typedef struct hmd_packet {
    uint32_t off;
    const hmd_packet_word *words;
    uint8_t num_words;
    bool is_first; /* not a further packet of a mesh */
} hmd_packet;

/* hmd_polygons_open begins with the packets of check->record; false when none can be handed out:
 * the layout or the section is not known, or the record too short. first and off are valid unless
 * the latter two are so. */
bool hmd_polygons_open(hmd_polygons *run, const hmd_check *check);

/* hmd_polygons_next hands out the next packet, paying for it. false at the end of the run, or where
 * it leaves the bytes (num_missing). */
bool hmd_polygons_next(hmd_polygons *run, hmd_check *check, hmd_packet *packet);

#endif
