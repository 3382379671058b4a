# Made from the table by which framehound labels the bytes itself.
meta:
  id: tod
  title: 'TOD, PlayStation animation commands'
  file-extension: tod
  license: MIT
  endian: le
doc: 'A time line of commands for the objects of a program: create one, give it a model, a parent, a pose. Read as its players read it: packets by their own length, frames where the packets in front of them end.'
seq:
  - id: file_id
    type: u1
    doc: 'always 0x50'
  - id: version
    type: u1
    doc: '0 is version 1.0'
  - id: resolution
    type: u2
    doc: 'sixtieths of a second for which a frame is shown'
  - id: num_frames
    type: u4
  - id: frames
    type: frame
    repeat: expr
    repeat-expr: 'num_frames'
instances:
  whole_file:
    pos: '0'
    size-eos: true
    doc: 'every byte; those that no other field has are unclaimed: nothing refers to them'
types:
  frame:
    seq:
      - id: size
        type: u2
        doc: 'words of the frame, these two included'
      - id: num_packets
        type: u2
      - id: frame_number
        type: u4
      - id: packets
        type: packet
        repeat: expr
        repeat-expr: 'num_packets'
  packet:
    seq:
      - id: object
        type: u2
        doc: 'id of the object, light or camera that it acts on'
      - id: type
        type: u1
        doc: 'kind and four flags, whose meaning hangs on the kind'
      - id: length
        type: u1
        doc: 'words of the packet, these two included'
      - id: payload
        type:
          switch-on: 'form'
          cases:
            0x0: attribute(b1, b2, b3)
            0x1: coordinate(b1, b2, b3)
            0x2: model(b1, b2, b3)
            0x3: parent(b1, b2, b3)
            0x4: matrix(b1, b2, b3)
            0x6: light(b1, b2, b3)
            0x7: camera_view(b1, b2, b3)
            0x17: camera_placed(b1, b2, b3)
        if: 'length == implied_length'
      - id: words
        type: u4
        repeat: expr
        repeat-expr: 'length - 1'
        if: 'length != implied_length'
        doc: 'of a packet whose layout is not known'
    instances:
      kind:
        value: 'type / 0x1 % 0x10'
      b0:
        value: 'type / 0x10 % 0x2'
      b1:
        value: 'type / 0x20 % 0x2'
      b2:
        value: 'type / 0x40 % 0x2'
      b3:
        value: 'type / 0x80 % 0x2'
      of_coordinate:
        value: '1 + 3 * b1 + 2 * b2 + 3 * b3'
      of_light:
        value: '1 + 3 * b1 + b2'
      of_camera:
        value: 'b0 == 0 ? 1 + 6 * b2 + b3 : 1 + 3 * b2 + 3 * b3'
      of_attribute:
        value: 'kind == 0 ? 3 : 0'
      of_one_word:
        value: 'kind == 2 or kind == 3 ? 2 : of_attribute'
      of_matrix:
        value: 'kind == 4 ? 9 : of_one_word'
      of_moving:
        value: 'kind == 1 ? of_coordinate : of_matrix'
      of_lit:
        value: 'kind == 6 ? of_light : of_moving'
      implied_length:
        value: 'kind == 7 ? of_camera : of_lit'
      form:
        value: 'kind == 7 ? kind + 16 * b0 : kind'
  attribute:
    params:
      - id: b1
        type: s8
      - id: b2
        type: s8
      - id: b3
        type: s8
    seq:
      - id: mask
        type: u4
        doc: '1 in each bit that stays'
      - id: value
        type: u4
        doc: 'the new bits, 0 in those that stay'
  coordinate:
    params:
      - id: has_rotation
        type: s8
      - id: has_scale
        type: s8
      - id: has_translation
        type: s8
    seq:
      - id: rotation
        type: s4
        repeat: expr
        repeat-expr: '3'
        if: 'has_rotation == 1'
        doc: 'x, y, z; 4096 is 1 degree'
      - id: scale
        type: s2
        repeat: expr
        repeat-expr: '3'
        if: 'has_scale == 1'
        doc: 'x, y, z; 4096 is 1.0'
      - id: unused
        type: u2
        if: 'has_scale == 1'
      - id: translation
        type: s4
        repeat: expr
        repeat-expr: '3'
        if: 'has_translation == 1'
        doc: 'x, y, z'
  model:
    params:
      - id: b1
        type: s8
      - id: b2
        type: s8
      - id: b3
        type: s8
    seq:
      - id: model
        type: u2
        doc: 'id of a TMD model'
      - id: unused
        type: u2
  parent:
    params:
      - id: b1
        type: s8
      - id: b2
        type: s8
      - id: b3
        type: s8
    seq:
      - id: parent_object
        type: u4
        doc: 'id of an object; 0 or 0xffff: the world'
  matrix:
    params:
      - id: b1
        type: s8
      - id: b2
        type: s8
      - id: b3
        type: s8
    seq:
      - id: rows
        type: s2
        repeat: expr
        repeat-expr: '9'
        doc: 'row by row; 4096 is 1.0'
      - id: unused
        type: u2
      - id: translation
        type: s4
        repeat: expr
        repeat-expr: '3'
  light:
    params:
      - id: has_direction
        type: s8
      - id: has_colour
        type: s8
      - id: b3
        type: s8
    seq:
      - id: direction
        type: s4
        repeat: expr
        repeat-expr: '3'
        if: 'has_direction == 1'
      - id: red
        type: u1
        if: 'has_colour == 1'
      - id: green
        type: u1
        if: 'has_colour == 1'
      - id: blue
        type: u1
        if: 'has_colour == 1'
      - id: unused
        type: u1
        if: 'has_colour == 1'
  camera_view:
    params:
      - id: b1
        type: s8
      - id: has_points
        type: s8
      - id: has_angle
        type: s8
    seq:
      - id: position
        type: s4
        repeat: expr
        repeat-expr: '3'
        if: 'has_points == 1'
      - id: looked_at
        type: s4
        repeat: expr
        repeat-expr: '3'
        if: 'has_points == 1'
        doc: 'the point looked at'
      - id: twist
        type: s4
        if: 'has_angle == 1'
        doc: 'about the z axis; 4096 is 1 degree'
  camera_placed:
    params:
      - id: b1
        type: s8
      - id: has_rotation
        type: s8
      - id: has_translation
        type: s8
    seq:
      - id: rotation
        type: s4
        repeat: expr
        repeat-expr: '3'
        if: 'has_rotation == 1'
        doc: 'x, y, z; 4096 is 1 degree'
      - id: translation
        type: s4
        repeat: expr
        repeat-expr: '3'
        if: 'has_translation == 1'
