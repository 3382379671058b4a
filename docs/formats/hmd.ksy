# Made from the table by which framehound labels the bytes itself.
meta:
  id: hmd
  title: 'HMD, PlayStation hierarchical model data'
  file-extension: hmd
  license: MIT
  endian: le
doc: 'Coordinates, polygons, images, morphing, grounds, cameras, lights and animation, tied together by primitives. No length of a section is stored: what is read is what something refers to.'
seq:
  - id: version
    type: u4
    doc: 'always 0x50'
  - id: map_flag
    type: u4
    doc: '0 in a file, 1: pointers are addresses'
  - id: headers_at
    type: u4
    doc: 'primitive header section'
  - id: num_blocks
    type: u4
    doc: 'coordinates and 2'
  - id: blocks
    type: block
    repeat: expr
    repeat-expr: 'num_blocks'
  - id: num_coordinates
    type: u4
  - id: coordinates
    type: coordinate
    repeat: expr
    repeat-expr: 'num_coordinates'
instances:
  is_mapped:
    value: 'map_flag / 0x1 % 0x2'
  coordinates_at:
    value: '16 + 4 * num_blocks'
  coordinate_count:
    pos: 'coordinates_at'
    type: u4
  pointer_range:
    value: 'is_mapped == 1 ? 0x20000000 : 0x80000000'
  pointer_unit:
    value: 'is_mapped == 1 ? 1 : 4'
  pointer_base:
    value: 'is_mapped == 1 ? headers_at % 0x20000000 - coordinates_at - 4 - 80 * coordinate_count : 0'
  header_section:
    pos: 'headers_at % pointer_range * pointer_unit - pointer_base'
    type: header_section
  whole_file:
    pos: '0'
    size-eos: true
    doc: 'every byte; those that no other field has are unclaimed: nothing refers to them'
types:
  block:
    seq:
      - id: first
        type: u4
        doc: 'primitive; 0: none'
    instances:
      primitive:
        pos: 'first % _root.pointer_range * _root.pointer_unit - _root.pointer_base'
        type: primitive
        if: 'first != 0'
  coordinate:
    seq:
      - id: flag
        type: u4
        doc: '0: compute anew'
      - id: rows
        type: s2
        repeat: expr
        repeat-expr: '9'
        doc: 'of the matrix; 4096 is 1.0'
      - id: unused_0
        type: u2
      - id: translation
        type: s4
        repeat: expr
        repeat-expr: '3'
      - id: world_rows
        type: s2
        repeat: expr
        repeat-expr: '9'
        doc: 'filled in by the run-time'
      - id: unused_1
        type: u2
      - id: world_translation
        type: s4
        repeat: expr
        repeat-expr: '3'
      - id: rotation
        type: s2
        repeat: expr
        repeat-expr: '3'
        doc: '4096 is a full turn'
      - id: unused_2
        type: u2
      - id: parent_coordinate
        type: u4
        doc: 'coordinate; 0: the world'
  header_section:
    seq:
      - id: num_headers
        type: u4
      - id: headers
        type: primitive_header
        repeat: expr
        repeat-expr: 'num_headers'
  primitive_header:
    seq:
      - id: size
        type: u4
        doc: 'words of the header, this one not included'
      - id: arguments
        type: u4
        repeat: expr
        repeat-expr: 'size'
  primitive:
    seq:
      - id: next
        type: u4
        doc: 'primitive of the same chain; 0xffffffff: the last'
      - id: header
        type: u4
        doc: 'primitive header'
      - id: type_count
        type: u4
      - id: records
        type: record(header % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
        repeat: expr
        repeat-expr: 'num_records'
    instances:
      num_records:
        value: 'type_count / 0x1 % 0x10000'
      is_unmapped:
        value: 'type_count / 0x80000000 % 0x2'
      primitive:
        pos: 'next % _root.pointer_range * _root.pointer_unit - _root.pointer_base'
        type: primitive
        if: 'next != 0xffffffff'
  record:
    params:
      - id: head
        type: s8
    seq:
      - id: primitive_type
        type: u2
      - id: driver
        type: u1
      - id: category
        type: u1
      - id: size
        type: u2
        doc: 'words of the record from here on'
      - id: item_count
        type: u2
      - id: data
        type:
          switch-on: 'layout'
          cases:
            -1: polygons(head, form, size, count)
            -2: shared_polygons(head, form, size, count)
            -4: animation(head, form, size, count)
            0x0: words(head, form, size, count)
            0x1000000: precalculation(head, form, size, count)
            0x2000000: image_record(head, form, size, count)
            0x2000001: image_clut_record(head, form, size, count)
            0x4010010: joint_mime(head, form, size, count)
            0x4010011: joint_mime(head, form, size, count)
            0x4010018: joint_reset(head, form, size, count)
            0x4010019: joint_reset(head, form, size, count)
            0x4010020: element_mime(head, form, size, count)
            0x4010021: element_mime(head, form, size, count)
            0x4010028: element_reset(head, form, size, count)
            0x4010029: element_reset(head, form, size, count)
            0x5000000: ground(head, form, size, count)
            0x5000001: ground(head, form, size, count)
            0x6000100: precalculation(head, form, size, count)
            0x600100c: environment_map(head, form, size, count)
            0x6001014: environment_map(head, form, size, count)
            0x600110c: shared_environment_map(head, form, size, count)
            0x6001114: shared_environment_map(head, form, size, count)
            0x600200c: environment_map(head, form, size, count)
            0x6002014: environment_map(head, form, size, count)
            0x600300c: environment_map(head, form, size, count)
            0x6003014: environment_map(head, form, size, count)
            0x600400c: environment_map(head, form, size, count)
            0x6004014: environment_map(head, form, size, count)
            0x600500c: environment_map(head, form, size, count)
            0x6005014: environment_map(head, form, size, count)
            0x7000100: projection_record(head, form, size, count)
            0x7010100: camera_record(head, form, size, count)
            0x7020100: camera_record(head, form, size, count)
            0x7030100: camera_record(head, form, size, count)
            0x7000200: light_record(head, form, size, count)
            0x7010200: light_record(head, form, size, count)
            0x7020200: light_record(head, form, size, count)
            0x7030200: light_record(head, form, size, count)
            _: words(head, form, size, count)
    instances:
      driver_bits:
        value: 'driver / 0x1 % 0x80'
      is_initial:
        value: 'driver / 0x80 % 0x2'
      category_number:
        value: 'category / 0x1 % 0x10'
      developer:
        value: 'category / 0x10 % 0x10'
      count:
        value: 'item_count / 0x1 % 0x8000'
      is_unscanned:
        value: 'item_count / 0x8000 % 0x2'
      form:
        value: 'driver_bits * 0x10000 + primitive_type'
      type:
        value: 'category * 0x1000000 + form'
      layout:
        value: '(category < 2 or category == 3) and type != 0 and type != 0x1000000 ? 0 - 1 - category : type'
  words:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: words
        type: u4
        repeat: expr
        repeat-expr: 'size - 1'
  polygons:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: polygon_index
        type: u4
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (1)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      polygons:
        pos: 'head + 4 + 4 * 0'
        type: u4
        if: 'num_args > 0'
      vertex_section:
        pos: 'head + 4 + 4 * 1'
        type: u4
        if: 'num_args > 1'
      normal_section:
        pos: 'head + 4 + 4 * 2'
        type: u4
        if: 'num_args > 2'
      offset:
        value: 'polygon_index / 0x1 % 0x1000000'
      division:
        value: 'polygon_index / 0x1000000 % 0x100'
      packets:
        pos: 'polygons % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 4 * offset'
        type:
          switch-on: 'form % 0x10000'
          cases:
            0x8: packet_0x008(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x9: packet_0x009(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0xa: packet_0x00a(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0xb: packet_0x00b(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0xc: packet_0x00c(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0xd: packet_0x00d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0xe: packet_0x00e(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0xf: packet_0x00f(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x10: packet_0x010(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x11: packet_0x011(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x12: packet_0x012(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x13: packet_0x013(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x14: packet_0x014(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x15: packet_0x015(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x16: packet_0x016(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x17: packet_0x017(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x48: packet_0x048(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x49: packet_0x049(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x4c: packet_0x04c(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x4d: packet_0x04d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x50: packet_0x050(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x51: packet_0x051(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x54: packet_0x054(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x55: packet_0x055(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x209: packet_0x209(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x20b: packet_0x20b(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x20d: packet_0x20d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x20f: packet_0x20f(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x211: packet_0x211(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x213: packet_0x213(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x215: packet_0x215(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x217: packet_0x217(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x249: packet_0x249(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x24d: packet_0x24d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x251: packet_0x251(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x255: packet_0x255(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x18: packet_0x018(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x19: packet_0x019(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x1a: packet_0x01a(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x1b: packet_0x01b(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x1c: packet_0x01c(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x1d: packet_0x01d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x1e: packet_0x01e(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x1f: packet_0x01f(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x58: packet_0x058(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x59: packet_0x059(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x5c: packet_0x05c(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x5d: packet_0x05d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x219: packet_0x219(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x21b: packet_0x21b(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x21d: packet_0x21d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x21f: packet_0x21f(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x259: packet_0x259(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x25d: packet_0x25d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x148: packet_0x148(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x149: packet_0x149(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x14c: packet_0x14c(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x14d: packet_0x14d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x150: packet_0x150(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x151: packet_0x151(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x154: packet_0x154(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x155: packet_0x155(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x158: packet_0x158(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x159: packet_0x159(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x15c: packet_0x15c(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x15d: packet_0x15d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
        repeat: expr
        repeat-expr: 'count'
        if: 'polygons >= 0x80000000'
  shared_polygons:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: polygon_index
        type: u4
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (1)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      polygons:
        pos: 'head + 4 + 4 * 0'
        type: u4
        if: 'num_args > 0'
      vertex_section:
        pos: 'head + 4 + 4 * 2'
        type: u4
        if: 'num_args > 2'
      normal_section:
        pos: 'head + 4 + 4 * 4'
        type: u4
        if: 'num_args > 4'
      offset:
        value: 'polygon_index / 0x1 % 0x1000000'
      division:
        value: 'polygon_index / 0x1000000 % 0x100'
      packets:
        pos: 'polygons % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 4 * offset'
        type:
          switch-on: 'form % 0x10000'
          cases:
            0xc: packet_0x00c(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0xd: packet_0x00d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0xe: packet_0x00e(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0xf: packet_0x00f(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x14: packet_0x014(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x15: packet_0x015(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x16: packet_0x016(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x17: packet_0x017(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x20d: packet_0x20d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x20f: packet_0x20f(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x215: packet_0x215(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x217: packet_0x217(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x48: packet_0x048(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x49: packet_0x049(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x4c: packet_0x04c(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x4d: packet_0x04d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x50: packet_0x050(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x51: packet_0x051(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x54: packet_0x054(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x55: packet_0x055(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x249: packet_0x249(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x24d: packet_0x24d(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x251: packet_0x251(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x255: packet_0x255(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
        repeat: expr
        repeat-expr: 'count'
        if: 'polygons >= 0x80000000'
  environment_map:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: polygon_index
        type: u4
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (1)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      polygons:
        pos: 'head + 4 + 4 * 0'
        type: u4
        if: 'num_args > 0'
      vertex_section:
        pos: 'head + 4 + 4 * 1'
        type: u4
        if: 'num_args > 1'
      normal_section:
        pos: 'head + 4 + 4 * 2'
        type: u4
        if: 'num_args > 2'
      offset:
        value: 'polygon_index / 0x1 % 0x1000000'
      division:
        value: 'polygon_index / 0x1000000 % 0x100'
      packets:
        pos: 'polygons % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 4 * offset'
        type:
          switch-on: 'form % 0x100'
          cases:
            0xc: packet_0x00c(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x14: packet_0x014(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
        repeat: expr
        repeat-expr: 'count'
        if: 'polygons >= 0x80000000'
  shared_environment_map:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: polygon_index
        type: u4
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (1)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      polygons:
        pos: 'head + 4 + 4 * 0'
        type: u4
        if: 'num_args > 0'
      vertex_section:
        pos: 'head + 4 + 4 * 2'
        type: u4
        if: 'num_args > 2'
      normal_section:
        pos: 'head + 4 + 4 * 4'
        type: u4
        if: 'num_args > 4'
      offset:
        value: 'polygon_index / 0x1 % 0x1000000'
      division:
        value: 'polygon_index / 0x1000000 % 0x100'
      packets:
        pos: 'polygons % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 4 * offset'
        type:
          switch-on: 'form % 0x100'
          cases:
            0xc: packet_0x00c(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
            0x14: packet_0x014(vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base)
        repeat: expr
        repeat-expr: 'count'
        if: 'polygons >= 0x80000000'
  precalculation:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: num_vertices
        type: u4
      - id: vertex_source
        type: u4
      - id: vertex_destination
        type: u4
      - id: num_normals
        type: u4
      - id: normal_source
        type: u4
      - id: normal_destination
        type: u4
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (6)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      vertex_section:
        pos: 'head + 4 + 4 * 1'
        type: u4
        if: 'num_args > 1'
      calculated_vertex_section:
        pos: 'head + 4 + 4 * 2'
        type: u4
        if: 'num_args > 2'
      normal_section:
        pos: 'head + 4 + 4 * 3'
        type: u4
        if: 'num_args > 3'
      calculated_normal_section:
        pos: 'head + 4 + 4 * 4'
        type: u4
        if: 'num_args > 4'
      vertex_data:
        pos: 'vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 8 * vertex_source'
        type: vertex
        repeat: expr
        repeat-expr: 'num_vertices'
        if: 'vertex_section >= 0x80000000'
      normal_data:
        pos: 'normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 8 * normal_source'
        type: normal
        repeat: expr
        repeat-expr: 'num_normals'
        if: 'normal_section >= 0x80000000'
      calculated_vertex_data:
        pos: 'calculated_vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 8 * vertex_destination'
        type: calculated_vertex
        repeat: expr
        repeat-expr: 'num_vertices'
        if: 'calculated_vertex_section >= 0x80000000'
      calculated_normal_data:
        pos: 'calculated_normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 8 * normal_destination'
        type: calculated_normal
        repeat: expr
        repeat-expr: 'num_normals'
        if: 'calculated_normal_section >= 0x80000000'
  calculated_vertex:
    seq:
      - id: x
        type: s2
        doc: 'on the screen, filled in by the run-time'
      - id: y
        type: s2
      - id: depth
        type: u2
      - id: fog
        type: s2
  calculated_normal:
    seq:
      - id: colour
        type: u2
        repeat: expr
        repeat-expr: '3'
        doc: 'filled in by the run-time'
      - id: unused
        type: u2
  image_record:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: images
        type: rectangle(images_at)
        repeat: expr
        repeat-expr: 'count'
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (3 * count)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      image_section:
        pos: 'head + 4 + 4 * 0'
        type: u4
        if: 'num_args > 0'
      images_at:
        value: 'image_section >= 0x80000000 ? image_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base : 0 - 1'
  image_clut_record:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: images
        type: image_and_clut(images_at, cluts_at)
        repeat: expr
        repeat-expr: 'count'
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (6 * count)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      image_section:
        pos: 'head + 4 + 4 * 0'
        type: u4
        if: 'num_args > 0'
      clut_argument:
        value: 'num_args > 1 ? head + 8 : head'
      clut_section:
        pos: 'clut_argument'
        type: u4
      images_at:
        value: 'image_section >= 0x80000000 ? image_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base : 0 - 1'
      cluts_at:
        value: 'clut_section >= 0x80000000 ? clut_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base : 0 - 1'
  image_and_clut:
    params:
      - id: images_at
        type: s8
      - id: cluts_at
        type: s8
    seq:
      - id: image
        type: rectangle(images_at)
      - id: clut
        type: rectangle(cluts_at)
  rectangle:
    params:
      - id: section
        type: s8
    seq:
      - id: x
        type: u2
        doc: 'in video memory, 16-bit pixels'
      - id: y
        type: u2
      - id: width
        type: u2
      - id: height
        type: u2
      - id: index
        type: u4
    instances:
      image_data:
        pos: 'section + 4 * index'
        type: pixels((width * height + 1) / 2 * 4)
        if: 'section >= 0'
  pixels:
    params:
      - id: size
        type: s8
    seq:
      - id: pixels
        size: 'size'
  animation:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: sequences
        type: sequence
        repeat: expr
        repeat-expr: 'count'
        doc: 'one of size 0 is its own next one, whatever stands behind it'
    instances:
      num_args:
        pos: 'head'
        type: u4
      table:
        pos: 'head + 4 + 4 * 1'
        type: u4
        if: 'num_args > 1'
      control:
        pos: 'head + 4 + 4 * 2'
        type: u4
        if: 'num_args > 2'
      parameters:
        pos: 'head + 4 + 4 * 3'
        type: u4
        if: 'num_args > 3'
      types:
        pos: 'table % _root.pointer_range * _root.pointer_unit - _root.pointer_base'
        type: u4
        if: 'table >= 0x80000000'
      before_table:
        value: 'table > control ? (table % _root.pointer_range * _root.pointer_unit - _root.pointer_base - (control % _root.pointer_range * _root.pointer_unit - _root.pointer_base)) / 4 : 0'
      num_descriptors:
        value: 'parameters > control ? (parameters % _root.pointer_range * _root.pointer_unit - _root.pointer_base - (control % _root.pointer_range * _root.pointer_unit - _root.pointer_base)) / 4 : before_table'
      interpolation_table:
        pos: 'table % _root.pointer_range * _root.pointer_unit - _root.pointer_base'
        type: interpolation_table
        if: 'table >= 0x80000000'
      descriptors:
        pos: 'control % _root.pointer_range * _root.pointer_unit - _root.pointer_base'
        type: descriptor(table % _root.pointer_range * _root.pointer_unit - _root.pointer_base, parameters % _root.pointer_range * _root.pointer_unit - _root.pointer_base, types % 0x80000000)
        repeat: expr
        repeat-expr: 'num_descriptors'
        if: 'table >= 0x80000000 and control >= 0x80000000 and parameters >= 0x80000000'
  interpolation_table:
    seq:
      - id: count
        type: u4
      - id: types
        type: u4
        repeat: expr
        repeat-expr: 'num_types'
        doc: 'how keys are interpolated'
    instances:
      num_types:
        value: 'count / 0x1 % 0x80000000'
      is_unscanned:
        value: 'count / 0x80000000 % 0x2'
  sequence:
    seq:
      - id: update
        type: u4
        doc: 'what it moves: word of a section, which is a word of the primitive header'
      - id: size
        type: u2
        doc: 'words of the sequence'
      - id: num_sequences
        type: u2
        doc: 'that are managed here, this one included'
      - id: save_index
        type: u2
        doc: 'key that receives the current value'
      - id: frames_left
        type: u2
      - id: stream
        type: u1
      - id: speed
        type: s1
        doc: 'sixteenths'
      - id: saved_key
        type: u2
        doc: 'reserved for the current value; 0xffff: none'
      - id: time_left
        type: s2
        doc: 'sixteenths of a frame'
      - id: time
        type: u2
        doc: 'sixteenths of a frame'
      - id: source
        type: u2
        doc: 'index of a key'
      - id: target
        type: u2
        doc: 'index of a key'
      - id: start
        type: u2
        doc: 'index of a descriptor'
      - id: start_stream
        type: u1
      - id: traveling
        type: u1
      - id: managed
        type: managed_sequence
        repeat: expr
        repeat-expr: 'num_sequences - 1'
    instances:
      update_offset:
        value: 'update / 0x1 % 0x1000000'
      update_section:
        value: 'update / 0x1000000 % 0x100'
  managed_sequence:
    seq:
      - id: start
        type: u2
        doc: 'index of a descriptor'
      - id: stream
        type: u1
      - id: unused
        type: u1
  descriptor:
    params:
      - id: table
        type: s8
      - id: parameters
        type: s8
      - id: num_types
        type: s8
    seq:
      - id: operand
        type: u2
        doc: 'key, work area: word of the parameters; jump: descriptor'
      - id: operation
        type: u2
        doc: 'kind 0, 1: key, reached in time frames by a type; 2: jump, under a condition, and code the new stream id; 3: control, code 1 end, 2 work area'
    instances:
      time:
        value: 'operation / 0x1 % 0x100'
      type_index:
        value: 'operation / 0x100 % 0x80'
      condition:
        value: 'operation / 0x1 % 0x80'
      code:
        value: 'operation / 0x80 % 0x80'
      descriptor_kind:
        value: 'operation / 0x4000 % 0x4'
      type:
        pos: 'table + 4 + 4 * type_index'
        type: u4
        if: 'descriptor_kind < 2 and type_index < num_types'
      key:
        pos: 'parameters + 4 * operand'
        type:
          switch-on: 'type / 0x10000 % 0x800'
          cases:
            0x300: key(type)
            0x301: key(type)
        if: 'descriptor_kind < 2 and type_index < num_types'
      work_area:
        pos: 'parameters + 4 * operand'
        type: work_area
        if: 'descriptor_kind == 3 and code == 2'
  key:
    params:
      - id: type
        type: s8
    seq:
      - id: translation
        type: s4
        repeat: expr
        repeat-expr: 'num_long'
      - id: short_translation
        type: s2
        repeat: expr
        repeat-expr: 'num_short'
      - id: rotation
        type: s2
        repeat: expr
        repeat-expr: 'num_turned'
        doc: '4096 is a full turn'
      - id: scale
        type: s2
        repeat: expr
        repeat-expr: 'num_scaled'
        doc: '4096 is 1.0'
      - id: words
        type: s4
        repeat: expr
        repeat-expr: 'cells'
        if: 'target == 1 and translation_nibble == 0'
      - id: half_words
        type: s2
        repeat: expr
        repeat-expr: 'cells'
        if: 'target == 1 and translation_nibble == 1'
      - id: bytes
        size: 'cells'
        if: 'target == 1 and translation_nibble == 2'
      - id: unused
        size: '(4 - odd_len % 4) % 4'
    instances:
      target:
        value: 'type / 0x10000 % 16'
      scale_nibble:
        value: 'type / 0x100 % 16'
      rotation_nibble:
        value: 'type / 0x10 % 16'
      translation_nibble:
        value: 'type % 16'
      is_long_bezier:
        value: 'target == 0 and translation_nibble == 2 ? 9 : 0'
      num_long:
        value: 'target == 0 and (translation_nibble == 1 or translation_nibble == 3) ? 3 : is_long_bezier'
      is_short_bezier:
        value: 'target == 0 and translation_nibble == 10 ? 9 : 0'
      num_short:
        value: 'target == 0 and (translation_nibble == 9 or translation_nibble == 11) ? 3 : is_short_bezier'
      is_turned_bezier:
        value: 'target == 0 and rotation_nibble == 2 ? 9 : 0'
      num_turned:
        value: 'target == 0 and (rotation_nibble == 1 or rotation_nibble == 3) ? 3 : is_turned_bezier'
      is_one_scale:
        value: 'target == 0 and scale_nibble == 9 ? 1 : 0'
      num_scaled:
        value: 'target == 0 and scale_nibble == 1 ? 3 : is_one_scale'
      points:
        value: 'scale_nibble == 2 ? 3 : 1'
      cells:
        value: 'rotation_nibble == 7 ? 3 * points : points'
      half_words_len:
        value: 'target == 1 and translation_nibble == 1 ? 2 * cells : 2 * (num_short + num_turned + num_scaled)'
      odd_len:
        value: 'target == 1 and translation_nibble == 2 ? cells : half_words_len'
  work_area:
    seq:
      - id: history
        type: u4
        repeat: expr
        repeat-expr: '4'
        doc: 'of a spline, filled in by the run-time'
  joint_mime:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: joints
        type: joint_offset(difference_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, is_axes)
        repeat: expr
        repeat-expr: 'count'
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (count)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      weight_section:
        pos: 'head + 4 + 4 * 1'
        type: u4
        if: 'num_args > 1'
      num_weights:
        pos: 'head + 4 + 4 * 2'
        type: u4
        if: 'num_args > 2'
      difference_section:
        pos: 'head + 4 + 4 * 4'
        type: u4
        if: 'num_args > 4'
      is_axes:
        value: 'form % 2 == 0 ? 1 : 0'
      weights:
        pos: 'weight_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base'
        type: weight
        repeat: expr
        repeat-expr: 'num_weights'
        if: 'weight_section >= 0x80000000'
  joint_reset:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: joints
        type: joint_offset(difference_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, is_axes)
        repeat: expr
        repeat-expr: 'count'
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (count)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      difference_section:
        pos: 'head + 4 + 4 * 2'
        type: u4
        if: 'num_args > 2'
      is_axes:
        value: 'form % 2 == 0 ? 1 : 0'
  joint_offset:
    params:
      - id: section
        type: s8
      - id: is_axes
        type: s8
    seq:
      - id: offset
        type: u4
    instances:
      joint_block:
        pos: 'section + 4 * offset'
        type: joint_block(is_axes)
  joint_block:
    params:
      - id: is_axes
        type: s8
    seq:
      - id: coordinate
        type: u2
      - id: num_differences
        type: u2
      - id: keys
        type: u4
        doc: 'bit k is set: key k has a difference'
      - id: differences
        type: joint_difference
        repeat: expr
        repeat-expr: 'num_differences'
      - id: saved_rotation
        type: s2
        repeat: expr
        repeat-expr: 'num_saved'
      - id: changed
        type: u2
      - id: saved_translation
        type: s4
        repeat: expr
        repeat-expr: '3'
    instances:
      num_saved:
        value: 'is_axes == 1 ? 9 : 3'
  joint_difference:
    seq:
      - id: rotation
        type: s2
        repeat: expr
        repeat-expr: '3'
      - id: parts
        type: u2
      - id: translation
        type: s4
        repeat: expr
        repeat-expr: '3'
    instances:
      has_rotation:
        value: 'parts / 0x1 % 0x2'
      has_translation:
        value: 'parts / 0x2 % 0x2'
  weight:
    seq:
      - id: weight
        type: s4
        doc: '4096 is 1.0'
  element_mime:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: blocks
        type: block_offset(difference_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, elements, is_normal)
        repeat: expr
        repeat-expr: 'count'
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (count)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      weight_section:
        pos: 'head + 4 + 4 * 0'
        type: u4
        if: 'num_args > 0'
      num_weights:
        pos: 'head + 4 + 4 * 1'
        type: u4
        if: 'num_args > 1'
      difference_section:
        pos: 'head + 4 + 4 * 3'
        type: u4
        if: 'num_args > 3'
      is_normal:
        value: 'form % 2'
      vertex_section:
        pos: 'head + 4 + 4 * 5'
        type: u4
        if: 'num_args > 5'
      normal_section:
        pos: 'head + 4 + 4 * 6'
        type: u4
        if: 'num_args > 6'
      elements:
        value: 'is_normal == 1 ? normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base : vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base'
      weights:
        pos: 'weight_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base'
        type: weight
        repeat: expr
        repeat-expr: 'num_weights'
        if: 'weight_section >= 0x80000000'
  element_reset:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: blocks
        type: reset_offset(difference_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, original_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base, elements, is_normal)
        repeat: expr
        repeat-expr: 'count'
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (count)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      difference_section:
        pos: 'head + 4 + 4 * 1'
        type: u4
        if: 'num_args > 1'
      original_section:
        pos: 'head + 4 + 4 * 2'
        type: u4
        if: 'num_args > 2'
      is_normal:
        value: 'form % 2'
      vertex_section:
        pos: 'head + 4 + 4 * 3'
        type: u4
        if: 'num_args > 3'
      normal_section:
        pos: 'head + 4 + 4 * 4'
        type: u4
        if: 'num_args > 4'
      elements:
        value: 'is_normal == 1 ? normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base : vertex_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base'
  block_offset:
    params:
      - id: section
        type: s8
      - id: elements
        type: s8
      - id: is_normal
        type: s8
    seq:
      - id: offset
        type: u4
    instances:
      element_block:
        pos: 'section + 4 * offset'
        type: element_block(section + 4 * offset, elements, is_normal)
  element_block:
    params:
      - id: block
        type: s8
      - id: elements
        type: s8
      - id: is_normal
        type: s8
    seq:
      - id: num_notified
        type: u2
      - id: num_differences
        type: u2
      - id: keys
        type: u4
        doc: 'bit k is set: key k has a difference'
      - id: differences
        type: difference_offset(block, elements, is_normal)
        repeat: expr
        repeat-expr: 'num_differences'
      - id: notified
        type: u4
        repeat: expr
        repeat-expr: 'num_notified'
        doc: 'words of reset blocks, from the section'
  difference_offset:
    params:
      - id: block
        type: s8
      - id: elements
        type: s8
      - id: is_normal
        type: s8
    seq:
      - id: offset
        type: u4
        doc: 'from the block'
    instances:
      element_difference:
        pos: 'block + 4 * offset'
        type: element_difference(elements, is_normal)
  element_difference:
    params:
      - id: elements
        type: s8
      - id: is_normal
        type: s8
    seq:
      - id: first
        type: u4
        doc: 'number of the first vertex or normal'
      - id: unused
        type: u2
      - id: count
        type: u2
      - id: differences
        type: s2
        repeat: expr
        repeat-expr: '4 * count'
        doc: 'x, y, z and unused'
    instances:
      vertex_data:
        pos: 'elements + 8 * first'
        type: vertex
        repeat: expr
        repeat-expr: 'count'
        if: 'is_normal == 0'
      normal_data:
        pos: 'elements + 8 * first'
        type: normal
        repeat: expr
        repeat-expr: 'count'
        if: 'is_normal == 1'
  reset_offset:
    params:
      - id: section
        type: s8
      - id: originals
        type: s8
      - id: elements
        type: s8
      - id: is_normal
        type: s8
    seq:
      - id: offset
        type: u4
    instances:
      reset_block:
        pos: 'section + 4 * offset'
        type: reset_block(originals, elements, is_normal)
  reset_block:
    params:
      - id: originals
        type: s8
      - id: elements
        type: s8
      - id: is_normal
        type: s8
    seq:
      - id: unused
        type: u2
      - id: num_entries
        type: u2
      - id: entries
        type: saved_elements(originals, elements, is_normal)
        repeat: expr
        repeat-expr: 'num_entries'
  saved_elements:
    params:
      - id: originals
        type: s8
      - id: elements
        type: s8
      - id: is_normal
        type: s8
    seq:
      - id: first
        type: u4
      - id: first_original
        type: u4
      - id: changed
        type: u2
      - id: count
        type: u2
    instances:
      original:
        pos: 'originals + 8 * first_original'
        type: original
        repeat: expr
        repeat-expr: 'count'
      vertex_data:
        pos: 'elements + 8 * first'
        type: vertex
        repeat: expr
        repeat-expr: 'count'
        if: 'is_normal == 0'
      normal_data:
        pos: 'elements + 8 * first'
        type: normal
        repeat: expr
        repeat-expr: 'count'
        if: 'is_normal == 1'
  original:
    seq:
      - id: saved
        type: s2
        repeat: expr
        repeat-expr: '4'
        doc: 'filled in by the run-time'
  ground:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: polygon_offset
        type: u4
      - id: grid_offset
        type: u4
      - id: height_offset
        type: u4
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (3)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      polygon_section:
        pos: 'head + 4 + 4 * 0'
        type: u4
        if: 'num_args > 0'
      grid_section:
        pos: 'head + 4 + 4 * 1'
        type: u4
        if: 'num_args > 1'
      height_section:
        pos: 'head + 4 + 4 * 2'
        type: u4
        if: 'num_args > 2'
      ground_grid:
        pos: 'polygon_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 4 * polygon_offset'
        type:
          switch-on: 'form'
          cases:
            0x0: flat_ground_grid(head, grid_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 4 * grid_offset, height_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 4 * height_offset)
            0x1: textured_ground_grid(head, grid_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 4 * grid_offset, height_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 4 * height_offset)
        if: 'polygon_section >= 0x80000000 and grid_section >= 0x80000000 and height_section >= 0x80000000'
  flat_ground_grid:
    params:
      - id: head
        type: s8
      - id: grid
        type: s8
      - id: heights
        type: s8
    seq:
      - id: x
        type: s2
      - id: y
        type: s2
      - id: cell_width
        type: u2
      - id: cell_height
        type: u2
      - id: width
        type: u2
        doc: 'vertices a line'
      - id: num_lines
        type: u2
      - id: num_rows
        type: u2
      - id: base
        type: u2
        doc: 'number of the first vertex'
      - id: rows
        type: flat_row(head, grid + 8 * (base - _index), heights + 2 * base, width)
        repeat: expr
        repeat-expr: 'num_rows'
  textured_ground_grid:
    params:
      - id: head
        type: s8
      - id: grid
        type: s8
      - id: heights
        type: s8
    seq:
      - id: x
        type: s2
      - id: y
        type: s2
      - id: cell_width
        type: u2
      - id: cell_height
        type: u2
      - id: width
        type: u2
        doc: 'vertices a line'
      - id: num_lines
        type: u2
      - id: num_rows
        type: u2
      - id: base
        type: u2
        doc: 'number of the first vertex'
      - id: rows
        type: textured_row(head, grid + 4 * (base - _index), heights + 2 * base, width)
        repeat: expr
        repeat-expr: 'num_rows'
  flat_row:
    params:
      - id: head
        type: s8
      - id: grid
        type: s8
      - id: heights
        type: s8
      - id: width
        type: s8
    seq:
      - id: first
        type: u2
        doc: 'number of its first vertex'
      - id: num_cells
        type: u2
    instances:
      num_heights:
        value: 'num_cells > 0 ? num_cells + 1 : 0'
      height_0:
        pos: 'heights + 2 * first'
        type: height
        repeat: expr
        repeat-expr: 'num_heights'
      height_1:
        pos: 'heights + 2 * (first + width)'
        type: height
        repeat: expr
        repeat-expr: 'num_heights'
      cell:
        pos: 'grid + 8 * first'
        type: flat_cell(head)
        repeat: expr
        repeat-expr: 'num_cells'
  textured_row:
    params:
      - id: head
        type: s8
      - id: grid
        type: s8
      - id: heights
        type: s8
      - id: width
        type: s8
    seq:
      - id: first
        type: u2
        doc: 'number of its first vertex'
      - id: num_cells
        type: u2
    instances:
      num_heights:
        value: 'num_cells > 0 ? num_cells + 1 : 0'
      height_0:
        pos: 'heights + 2 * first'
        type: height
        repeat: expr
        repeat-expr: 'num_heights'
      height_1:
        pos: 'heights + 2 * (first + width)'
        type: height
        repeat: expr
        repeat-expr: 'num_heights'
      cell:
        pos: 'grid + 4 * first'
        type: textured_cell(head)
        repeat: expr
        repeat-expr: 'num_cells'
  flat_cell:
    params:
      - id: head
        type: s8
    seq:
      - id: red
        type: u1
      - id: green
        type: u1
      - id: blue
        type: u1
      - id: unused_0
        type: u1
      - id: normal
        type: u2
      - id: unused_1
        type: u2
    instances:
      num_args:
        pos: 'head'
        type: u4
      normal_section:
        pos: 'head + 4 + 4 * 3'
        type: u4
        if: 'num_args > 3'
      normal_data:
        pos: 'normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 8 * normal'
        type: normal
        if: 'normal_section >= 0x80000000'
  textured_cell:
    params:
      - id: head
        type: s8
    seq:
      - id: normal
        type: u2
      - id: texture
        type: u2
    instances:
      num_args:
        pos: 'head'
        type: u4
      normal_section:
        pos: 'head + 4 + 4 * 3'
        type: u4
        if: 'num_args > 3'
      texture_section:
        pos: 'head + 4 + 4 * 4'
        type: u4
        if: 'num_args > 4'
      normal_data:
        pos: 'normal_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 8 * normal'
        type: normal
        if: 'normal_section >= 0x80000000'
      texture_data:
        pos: 'texture_section % _root.pointer_range * _root.pointer_unit - _root.pointer_base + 12 * texture'
        type: texture_corners
        if: 'texture_section >= 0x80000000'
  texture_corners:
    seq:
      - id: first_position
        type: u2
      - id: clut
        type: u2
      - id: second_position
        type: u2
      - id: page
        type: u2
      - id: third_position
        type: u2
      - id: fourth_position
        type: u2
  height:
    seq:
      - id: z
        type: s2
  projection_record:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (0)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      parameters:
        pos: 'head + 4 + 4 * 0'
        type: u4
        if: 'num_args > 0'
      projection_data:
        pos: 'parameters % _root.pointer_range * _root.pointer_unit - _root.pointer_base'
        type: projection
        if: 'parameters >= 0x80000000'
  projection:
    seq:
      - id: projection
        type: s4
  camera_record:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: rest
        type: u4
        repeat: expr
        repeat-expr: 'size - 1 - (0)'
    instances:
      num_args:
        pos: 'head'
        type: u4
      parameters:
        pos: 'head + 4 + 4 * 0'
        type: u4
        if: 'num_args > 0'
      camera_data:
        pos: 'parameters % _root.pointer_range * _root.pointer_unit - _root.pointer_base'
        type: camera
        if: 'parameters >= 0x80000000'
  camera:
    seq:
      - id: projection
        type: s4
      - id: roll
        type: s4
        doc: '4096 is 1 degree'
      - id: position
        type: s4
        repeat: expr
        repeat-expr: '3'
      - id: target
        type: s4
        repeat: expr
        repeat-expr: '3'
  light_record:
    params:
      - id: head
        type: s8
      - id: form
        type: s8
      - id: size
        type: s8
      - id: count
        type: s8
    seq:
      - id: lights
        type: light_use(parameters % _root.pointer_range * _root.pointer_unit - _root.pointer_base, form)
        repeat: expr
        repeat-expr: 'num_lights'
        if: 'parameters >= 0x80000000 and size > 1'
    instances:
      num_args:
        pos: 'head'
        type: u4
      parameters:
        pos: 'head + 4 + 4 * 0'
        type: u4
        if: 'num_args > 0'
      num_lights:
        value: 'form == 0x10200 ? count : 1'
  light_use:
    params:
      - id: section
        type: s8
      - id: form
        type: s8
    seq:
      - id: number
        type: u2
        doc: 'of the light, 0 to 2'
      - id: parameter
        type: u2
        doc: 'words'
    instances:
      light_data:
        pos: 'section + 4 * parameter'
        type:
          switch-on: 'form'
          cases:
            0x200: ambient
            0x10200: light
            0x20200: light
            0x30200: light
  light:
    seq:
      - id: red
        type: u1
      - id: green
        type: u1
      - id: blue
        type: u1
      - id: unused
        type: u1
      - id: position
        type: s4
        repeat: expr
        repeat-expr: '3'
      - id: target
        type: s4
        repeat: expr
        repeat-expr: '3'
  ambient:
    seq:
      - id: red
        type: u1
      - id: green
        type: u1
      - id: blue
        type: u1
      - id: unused
        type: u1
  vertex:
    seq:
      - id: x
        type: s2
      - id: y
        type: s2
      - id: z
        type: s2
      - id: unused
        type: u2
  normal:
    seq:
      - id: x
        type: s2
        doc: '4096 is 1.0'
      - id: y
        type: s2
      - id: z
        type: s2
      - id: unused
        type: u2
  code_colour:
    seq:
      - id: red
        type: u1
      - id: green
        type: u1
      - id: blue
        type: u1
      - id: code
        type: u1
        doc: 'of the drawing command; 2 is semi-transparent'
  plain_colour:
    seq:
      - id: red
        type: u1
      - id: green
        type: u1
      - id: blue
        type: u1
      - id: unused
        type: u1
  texture_window:
    seq:
      - id: texture_window
        type: u4
    instances:
      mask_u:
        value: 'texture_window / 0x1 % 0x20'
      mask_v:
        value: 'texture_window / 0x20 % 0x20'
      offset_u:
        value: 'texture_window / 0x400 % 0x20'
      offset_v:
        value: 'texture_window / 0x8000 % 0x20'
      command:
        value: 'texture_window / 0x1000000 % 0x100'
  screen_position:
    seq:
      - id: x
        type: s2
        doc: 'filled in by the run-time'
      - id: y
        type: s2
  texture_and_clut:
    seq:
      - id: u
        type: u1
      - id: v
        type: u1
      - id: clut
        type: u2
        doc: 'where the colour table lies, in units of 16 pixels and 1 line'
    instances:
      clut_x:
        value: 'clut / 0x1 % 0x40'
      clut_y:
        value: 'clut / 0x40 % 0x200'
  texture_and_page:
    seq:
      - id: u
        type: u1
      - id: v
        type: u1
      - id: page
        type: u2
        doc: 'the texture page'
    instances:
      page_x:
        value: 'page / 0x1 % 0x10'
      page_y:
        value: 'page / 0x10 % 0x2'
      blend_rate:
        value: 'page / 0x20 % 0x4'
      depth:
        value: 'page / 0x80 % 0x4'
  texture_position:
    seq:
      - id: u
        type: u1
      - id: v
        type: u1
      - id: unused
        type: u2
  texture_and_normal:
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: u
        type: u1
      - id: v
        type: u1
      - id: normal
        type: u2
    instances:
      normal_data:
        pos: 'normals + 8 * normal'
        type: normal
  texture_and_vertex:
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: u
        type: u1
      - id: v
        type: u1
      - id: vertex
        type: u2
    instances:
      vertex_data:
        pos: 'vertices + 8 * vertex'
        type: vertex
  normal_and_vertex:
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: normal
        type: u2
      - id: vertex
        type: u2
    instances:
      normal_data:
        pos: 'normals + 8 * normal'
        type: normal
      vertex_data:
        pos: 'vertices + 8 * vertex'
        type: vertex
  two_normals:
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: first_normal
        type: u2
      - id: second_normal
        type: u2
    instances:
      normal_data_0:
        pos: 'normals + 8 * first_normal'
        type: normal
      normal_data_1:
        pos: 'normals + 8 * second_normal'
        type: normal
  two_vertices:
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: first_vertex
        type: u2
      - id: second_vertex
        type: u2
    instances:
      vertex_data_0:
        pos: 'vertices + 8 * first_vertex'
        type: vertex
      vertex_data_1:
        pos: 'vertices + 8 * second_vertex'
        type: vertex
  one_vertex:
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: vertex
        type: u2
      - id: unused
        type: u2
    instances:
      vertex_data:
        pos: 'vertices + 8 * vertex'
        type: vertex
  packet_0x008:
    doc: 'F3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x009:
    doc: 'FT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x00a:
    doc: 'CF3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x00b:
    doc: 'CFT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x00c:
    doc: 'G3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
  packet_0x00d:
    doc: 'GT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
  packet_0x00e:
    doc: 'CG3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
  packet_0x00f:
    doc: 'CGT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
  packet_0x010:
    doc: 'F4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
      - id: corner_2
        type: one_vertex(vertices, normals)
  packet_0x011:
    doc: 'FT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: texture_3
        type: texture_and_normal(vertices, normals)
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x012:
    doc: 'CF4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: colour_3
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
      - id: corner_2
        type: one_vertex(vertices, normals)
  packet_0x013:
    doc: 'CFT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: colour_3
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: texture_3
        type: texture_and_normal(vertices, normals)
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x014:
    doc: 'G4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
      - id: corner_3
        type: normal_and_vertex(vertices, normals)
  packet_0x015:
    doc: 'GT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_normal(vertices, normals)
      - id: texture_3
        type: texture_and_vertex(vertices, normals)
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
  packet_0x016:
    doc: 'CG4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: colour_3
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
      - id: corner_3
        type: normal_and_vertex(vertices, normals)
  packet_0x017:
    doc: 'CGT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: colour_3
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_normal(vertices, normals)
      - id: texture_3
        type: texture_and_vertex(vertices, normals)
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
  packet_0x048:
    doc: 'NF3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: one_vertex(vertices, normals)
  packet_0x049:
    doc: 'NFT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
  packet_0x04c:
    doc: 'NG3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: one_vertex(vertices, normals)
  packet_0x04d:
    doc: 'NGT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
  packet_0x050:
    doc: 'NF4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x051:
    doc: 'NFT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: texture_3
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
  packet_0x054:
    doc: 'NG4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: colour_3
        type: code_colour
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x055:
    doc: 'NGT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: colour_3
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: texture_3
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
  packet_0x209:
    doc: 'tiled FT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x20b:
    doc: 'tiled CFT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x20d:
    doc: 'tiled GT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
  packet_0x20f:
    doc: 'tiled CGT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
  packet_0x211:
    doc: 'tiled FT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: texture_3
        type: texture_and_normal(vertices, normals)
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x213:
    doc: 'tiled CFT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: colour_3
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: texture_3
        type: texture_and_normal(vertices, normals)
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x215:
    doc: 'tiled GT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_normal(vertices, normals)
      - id: texture_3
        type: texture_and_vertex(vertices, normals)
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
  packet_0x217:
    doc: 'tiled CGT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: colour_3
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_normal(vertices, normals)
      - id: texture_3
        type: texture_and_vertex(vertices, normals)
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
  packet_0x249:
    doc: 'tiled NFT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
  packet_0x24d:
    doc: 'tiled NGT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
  packet_0x251:
    doc: 'tiled NFT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: texture_3
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
  packet_0x255:
    doc: 'tiled NGT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: colour_3
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: texture_3
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
  packet_0x018:
    doc: 'mesh F3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: colour
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x018(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x018:
    doc: 'mesh F3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: corner
        type: normal_and_vertex(vertices, normals)
  packet_0x019:
    doc: 'mesh FT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x019(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x019:
    doc: 'mesh FT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner
        type: normal_and_vertex(vertices, normals)
  packet_0x01a:
    doc: 'mesh CF3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x01a(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x01a:
    doc: 'mesh CF3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: corner
        type: normal_and_vertex(vertices, normals)
  packet_0x01b:
    doc: 'mesh CFT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x01b(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x01b:
    doc: 'mesh CFT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner
        type: normal_and_vertex(vertices, normals)
  packet_0x01c:
    doc: 'mesh G3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: colour
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
      - id: more
        type: more_0x01c(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x01c:
    doc: 'mesh G3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: corner_0
        type: two_normals(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
  packet_0x01d:
    doc: 'mesh GT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
      - id: more
        type: more_0x01d(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x01d:
    doc: 'mesh GT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: two_normals(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
  packet_0x01e:
    doc: 'mesh CG3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
      - id: more
        type: more_0x01e(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x01e:
    doc: 'mesh CG3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: corner_0
        type: two_normals(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
  packet_0x01f:
    doc: 'mesh CGT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
      - id: more
        type: more_0x01f(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x01f:
    doc: 'mesh CGT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: two_normals(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
  packet_0x058:
    doc: 'mesh NF3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: colour
        type: code_colour
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: one_vertex(vertices, normals)
      - id: more
        type: more_0x058(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x058:
    doc: 'mesh NF3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: corner
        type: one_vertex(vertices, normals)
  packet_0x059:
    doc: 'mesh NFT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: colour
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x059(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x059:
    doc: 'mesh NFT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
  packet_0x05c:
    doc: 'mesh NG3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: one_vertex(vertices, normals)
      - id: more
        type: more_0x05c(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x05c:
    doc: 'mesh NG3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: corner
        type: one_vertex(vertices, normals)
  packet_0x05d:
    doc: 'mesh NGT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x05d(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x05d:
    doc: 'mesh NGT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
  packet_0x219:
    doc: 'tiled mesh FT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: window
        type: texture_window
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x219(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x219:
    doc: 'tiled mesh FT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner
        type: normal_and_vertex(vertices, normals)
  packet_0x21b:
    doc: 'tiled mesh CFT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x21b(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x21b:
    doc: 'tiled mesh CFT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner
        type: normal_and_vertex(vertices, normals)
  packet_0x21d:
    doc: 'tiled mesh GT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: window
        type: texture_window
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
      - id: more
        type: more_0x21d(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x21d:
    doc: 'tiled mesh GT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: two_normals(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
  packet_0x21f:
    doc: 'tiled mesh CGT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: normal_and_vertex(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
      - id: corner_2
        type: normal_and_vertex(vertices, normals)
      - id: more
        type: more_0x21f(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x21f:
    doc: 'tiled mesh CGT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_position
      - id: corner_0
        type: two_normals(vertices, normals)
      - id: corner_1
        type: normal_and_vertex(vertices, normals)
  packet_0x259:
    doc: 'tiled mesh NFT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: window
        type: texture_window
      - id: colour
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x259(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x259:
    doc: 'tiled mesh NFT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
  packet_0x25d:
    doc: 'tiled mesh NGT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x25d(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x25d:
    doc: 'tiled mesh NGT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: window
        type: texture_window
      - id: colour_0
        type: code_colour
      - id: colour_1
        type: code_colour
      - id: colour_2
        type: code_colour
      - id: texture_0
        type: texture_and_clut
      - id: texture_1
        type: texture_and_page
      - id: texture_2
        type: texture_and_vertex(vertices, normals)
  packet_0x148:
    doc: 'preset NF3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: screen_1
        type: screen_position
      - id: screen_2
        type: screen_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_1
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: screen_4
        type: screen_position
      - id: screen_5
        type: screen_position
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: one_vertex(vertices, normals)
  packet_0x149:
    doc: 'preset NFT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: texture_0
        type: texture_and_clut
      - id: screen_1
        type: screen_position
      - id: texture_1
        type: texture_and_page
      - id: screen_2
        type: screen_position
      - id: texture_2
        type: texture_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_1
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: texture_3
        type: texture_and_clut
      - id: screen_4
        type: screen_position
      - id: texture_4
        type: texture_and_page
      - id: screen_5
        type: screen_position
      - id: texture_5
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
  packet_0x14c:
    doc: 'preset NG3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: colour_1
        type: plain_colour
      - id: screen_1
        type: screen_position
      - id: colour_2
        type: plain_colour
      - id: screen_2
        type: screen_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_3
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: colour_4
        type: plain_colour
      - id: screen_4
        type: screen_position
      - id: colour_5
        type: plain_colour
      - id: screen_5
        type: screen_position
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: one_vertex(vertices, normals)
  packet_0x14d:
    doc: 'preset NGT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: texture_0
        type: texture_and_clut
      - id: colour_1
        type: plain_colour
      - id: screen_1
        type: screen_position
      - id: texture_1
        type: texture_and_page
      - id: colour_2
        type: plain_colour
      - id: screen_2
        type: screen_position
      - id: texture_2
        type: texture_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_3
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: texture_3
        type: texture_and_clut
      - id: colour_4
        type: plain_colour
      - id: screen_4
        type: screen_position
      - id: texture_4
        type: texture_and_page
      - id: colour_5
        type: plain_colour
      - id: screen_5
        type: screen_position
      - id: texture_5
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
  packet_0x150:
    doc: 'preset NF4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: screen_1
        type: screen_position
      - id: screen_2
        type: screen_position
      - id: screen_3
        type: screen_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_1
        type: code_colour
      - id: screen_4
        type: screen_position
      - id: screen_5
        type: screen_position
      - id: screen_6
        type: screen_position
      - id: screen_7
        type: screen_position
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x151:
    doc: 'preset NFT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: texture_0
        type: texture_and_clut
      - id: screen_1
        type: screen_position
      - id: texture_1
        type: texture_and_page
      - id: screen_2
        type: screen_position
      - id: texture_2
        type: texture_position
      - id: screen_3
        type: screen_position
      - id: texture_3
        type: texture_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_1
        type: code_colour
      - id: screen_4
        type: screen_position
      - id: texture_4
        type: texture_and_clut
      - id: screen_5
        type: screen_position
      - id: texture_5
        type: texture_and_page
      - id: screen_6
        type: screen_position
      - id: texture_6
        type: texture_position
      - id: screen_7
        type: screen_position
      - id: texture_7
        type: texture_position
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x154:
    doc: 'preset NG4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: colour_1
        type: plain_colour
      - id: screen_1
        type: screen_position
      - id: colour_2
        type: plain_colour
      - id: screen_2
        type: screen_position
      - id: colour_3
        type: plain_colour
      - id: screen_3
        type: screen_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_4
        type: code_colour
      - id: screen_4
        type: screen_position
      - id: colour_5
        type: plain_colour
      - id: screen_5
        type: screen_position
      - id: colour_6
        type: plain_colour
      - id: screen_6
        type: screen_position
      - id: colour_7
        type: plain_colour
      - id: screen_7
        type: screen_position
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x155:
    doc: 'preset NGT4'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: texture_0
        type: texture_and_clut
      - id: colour_1
        type: plain_colour
      - id: screen_1
        type: screen_position
      - id: texture_1
        type: texture_and_page
      - id: colour_2
        type: plain_colour
      - id: screen_2
        type: screen_position
      - id: texture_2
        type: texture_position
      - id: colour_3
        type: plain_colour
      - id: screen_3
        type: screen_position
      - id: texture_3
        type: texture_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_4
        type: code_colour
      - id: screen_4
        type: screen_position
      - id: texture_4
        type: texture_and_clut
      - id: colour_5
        type: plain_colour
      - id: screen_5
        type: screen_position
      - id: texture_5
        type: texture_and_page
      - id: colour_6
        type: plain_colour
      - id: screen_6
        type: screen_position
      - id: texture_6
        type: texture_position
      - id: colour_7
        type: plain_colour
      - id: screen_7
        type: screen_position
      - id: texture_7
        type: texture_position
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: two_vertices(vertices, normals)
  packet_0x158:
    doc: 'preset mesh NF3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: screen_1
        type: screen_position
      - id: screen_2
        type: screen_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_1
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: screen_4
        type: screen_position
      - id: screen_5
        type: screen_position
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: one_vertex(vertices, normals)
      - id: more
        type: more_0x158(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x158:
    doc: 'preset mesh NF3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: screen_1
        type: screen_position
      - id: screen_2
        type: screen_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_1
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: screen_4
        type: screen_position
      - id: screen_5
        type: screen_position
      - id: corner
        type: one_vertex(vertices, normals)
  packet_0x159:
    doc: 'preset mesh NFT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: texture_0
        type: texture_and_clut
      - id: screen_1
        type: screen_position
      - id: texture_1
        type: texture_and_page
      - id: screen_2
        type: screen_position
      - id: texture_2
        type: texture_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_1
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: texture_3
        type: texture_and_clut
      - id: screen_4
        type: screen_position
      - id: texture_4
        type: texture_and_page
      - id: screen_5
        type: screen_position
      - id: texture_5
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x159(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x159:
    doc: 'preset mesh NFT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: texture_0
        type: texture_and_clut
      - id: screen_1
        type: screen_position
      - id: texture_1
        type: texture_and_page
      - id: screen_2
        type: screen_position
      - id: texture_2
        type: texture_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_1
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: texture_3
        type: texture_and_clut
      - id: screen_4
        type: screen_position
      - id: texture_4
        type: texture_and_page
      - id: screen_5
        type: screen_position
      - id: texture_5
        type: texture_and_vertex(vertices, normals)
  packet_0x15c:
    doc: 'preset mesh NG3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: colour_1
        type: plain_colour
      - id: screen_1
        type: screen_position
      - id: colour_2
        type: plain_colour
      - id: screen_2
        type: screen_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_3
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: colour_4
        type: plain_colour
      - id: screen_4
        type: screen_position
      - id: colour_5
        type: plain_colour
      - id: screen_5
        type: screen_position
      - id: corner_0
        type: two_vertices(vertices, normals)
      - id: corner_1
        type: one_vertex(vertices, normals)
      - id: more
        type: more_0x15c(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x15c:
    doc: 'preset mesh NG3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: colour_1
        type: plain_colour
      - id: screen_1
        type: screen_position
      - id: colour_2
        type: plain_colour
      - id: screen_2
        type: screen_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_3
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: colour_4
        type: plain_colour
      - id: screen_4
        type: screen_position
      - id: colour_5
        type: plain_colour
      - id: screen_5
        type: screen_position
      - id: corner
        type: one_vertex(vertices, normals)
  packet_0x15d:
    doc: 'preset mesh NGT3'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: num_triangles
        type: u4
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: texture_0
        type: texture_and_clut
      - id: colour_1
        type: plain_colour
      - id: screen_1
        type: screen_position
      - id: texture_1
        type: texture_and_page
      - id: colour_2
        type: plain_colour
      - id: screen_2
        type: screen_position
      - id: texture_2
        type: texture_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_3
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: texture_3
        type: texture_and_clut
      - id: colour_4
        type: plain_colour
      - id: screen_4
        type: screen_position
      - id: texture_4
        type: texture_and_page
      - id: colour_5
        type: plain_colour
      - id: screen_5
        type: screen_position
      - id: texture_5
        type: texture_and_vertex(vertices, normals)
      - id: corner
        type: two_vertices(vertices, normals)
      - id: more
        type: more_0x15d(vertices, normals)
        repeat: expr
        repeat-expr: 'num_triangles - 1'
  more_0x15d:
    doc: 'preset mesh NGT3, further triangle'
    params:
      - id: vertices
        type: s8
      - id: normals
        type: s8
    seq:
      - id: tag_0
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_0
        type: code_colour
      - id: screen_0
        type: screen_position
      - id: texture_0
        type: texture_and_clut
      - id: colour_1
        type: plain_colour
      - id: screen_1
        type: screen_position
      - id: texture_1
        type: texture_and_page
      - id: colour_2
        type: plain_colour
      - id: screen_2
        type: screen_position
      - id: texture_2
        type: texture_position
      - id: tag_1
        type: u4
        doc: 'of a drawing list, filled in by the run-time'
      - id: colour_3
        type: code_colour
      - id: screen_3
        type: screen_position
      - id: texture_3
        type: texture_and_clut
      - id: colour_4
        type: plain_colour
      - id: screen_4
        type: screen_position
      - id: texture_4
        type: texture_and_page
      - id: colour_5
        type: plain_colour
      - id: screen_5
        type: screen_position
      - id: texture_5
        type: texture_and_vertex(vertices, normals)
