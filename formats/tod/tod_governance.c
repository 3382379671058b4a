#include "tod/tod_schema.h"

/* Held against every finding of the corpus by tests/formats/test_governance.c. */
static const fh_governed rows[] = {
    {"", "TOD0008 TOD0009 TOD0010 TOD0011 TOD0024 TOD0025 TOD0131"},
    {"attribute.mask", "TOD0070"},
    {"attribute.value", "TOD0070 TOD0071 TOD0072"},
    {"camera_view.looked_at", "TOD0122"},
    {"camera_view.position", "TOD0122"},
    {"coordinate.rotation", "TOD0082 TOD0083 TOD0086 TOD0087 TOD0134"},
    {"coordinate.scale", "TOD0081 TOD0082 TOD0084 TOD0085 TOD0088"},
    {"coordinate.translation", "TOD0088 TOD0134"},
    {"coordinate.unused", "TOD0081"},
    {"frame", "TOD0012 TOD0013 TOD0014 TOD0020 TOD0130 TOD0132 TOD0133"},
    {"frame.frame_number", "TOD0013 TOD0026 TOD0027 TOD0028 TOD0029"},
    {"frame.num_packets", "TOD0012 TOD0014 TOD0023 TOD0024 TOD0025 TOD0030"},
    {"frame.size", "TOD0020 TOD0021 TOD0022 TOD0023 TOD0024 TOD0025"},
    {"light.blue", "TOD0114"},
    {"light.direction", "TOD0111"},
    {"light.green", "TOD0114"},
    {"light.red", "TOD0112 TOD0114"},
    {"light.unused", "TOD0112"},
    {"matrix.rows", "TOD0089 TOD0101 TOD0102 TOD0103 TOD0133"},
    {"matrix.unused", "TOD0101"},
    {"model.model", "TOD0090"},
    {"model.unused", "TOD0090"},
    {"packet", "TOD0024 TOD0040 TOD0041 TOD0042 TOD0043 TOD0044 TOD0045 TOD0046 TOD0047 TOD0048 "
               "TOD0049 TOD0064 TOD0065 TOD0066 TOD0080 TOD0082 TOD0083 TOD0089 TOD0100 TOD0103 "
               "TOD0113 TOD0120 TOD0121 TOD0130 TOD0134"},
    {"packet.length", "TOD0024 TOD0040 TOD0041 TOD0045"},
    {"packet.object", "TOD0050 TOD0051 TOD0061 TOD0062 TOD0063 TOD0065 TOD0066 TOD0067 TOD0110"},
    {"packet.type",
     "TOD0041 TOD0042 TOD0043 TOD0044 TOD0045 TOD0046 TOD0047 TOD0048 TOD0049 TOD0064 "
     "TOD0080 TOD0082 TOD0083 TOD0100 TOD0113 TOD0120 TOD0121"},
    {"packet.words", "TOD0042 TOD0043 TOD0045 TOD0046"},
    {"parent.parent_object", "TOD0091 TOD0092 TOD0093 TOD0094 TOD0095"},
    {"tod.file_id", "TOD0001 TOD0002 TOD0060 TOD0065 TOD0095"},
    {"tod.num_frames", "TOD0006 TOD0007 TOD0008 TOD0013"},
    {"tod.resolution", "TOD0004 TOD0005"},
    {"tod.version", "TOD0003"},
};

const fh_governance tod_governance = {rows, sizeof rows / sizeof rows[0]};
