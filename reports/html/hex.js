// The bytes of an asset with what each of them is. One byte at a time is looked at: by pointer, by
// keyboard, or from the list of fields.

const LINES_PER_PAGE = 32;
const FIELDS_PER_PAGE = 100;
const KINDS = ['value', 'name', 'count', 'pointer', 'flags', 'colour', 'data', 'unused'];

const MOST_TEXT = 96;
const MOST_FAULTS = 20; // that are told of one byte

// Fields as they come in the page are [bytes from the end of the one before, length, depth, kind,
// name, which of that name or -1, value, doc, rules], where kind, name, doc and rules are places in
// the list of words; codes of rules have blanks between them, and are left out where there are none.
// A group has no length and holds what follows it and is deeper. What has no value is a text: its
// bytes.
function fieldsOf(detail, bytes) {
  const groups = [];
  const word = (of) => safe(typeof of === 'number' ? detail.words[of] : of);
  const codes = (of) => (of === undefined ? [] : word(of).split(' '));
  let end = 0;
  return detail.fields.map(([gap, length, depth, kindWord, nameWord, number, value, doc, rules]) => {
    const offset = end + gap;
    const kind = word(kindWord);
    const name = number < 0 ? word(nameWord) : `${word(nameWord)}[${number}]`;
    end = offset + length;
    groups.length = Math.min(groups.length, depth);
    const path = groups.slice();
    const made = {offset, length, depth, kind, name, doc: word(doc), path, rules: codes(rules)};
    if (kind === 'group') {
      groups[depth] = made;
    }
    return {...made,
      value: value !== null ? safe(value) : textOf(bytes.subarray(offset, offset + length))};
  });
}

function textOf(bytes) {
  const shown = Array.from(bytes.subarray(0, MOST_TEXT), printable).join('');
  return bytes.length > MOST_TEXT ? `${shown} …` : shown;
}

// groupsAt are the groups that a byte lies in, from the outside to the inside: those of its field or,
// between the words of a text, its line.
function groupsAt(fields, label, at, isText) {
  if (label >= 0) {
    return fields[label].path;
  }
  const lines = isText ? fields.filter((of) => of.kind === 'group' && of.offset <= at) : [];
  return lines.slice(-1);
}

function ruleList(codes) {
  return h('ul', {class: 'rules-here'}, codes.map((code) => h('li', {}, ruleLink(code), ' ',
    db.rules.has(code) ? db.rules.get(code).title : '')));
}

// rulesAt says which rules look at a field, and which at what it lies in as a whole.
function rulesAt(of, groups) {
  const around = groups.filter((group) => group.rules.length > 0).reverse();
  return [of !== null && of.rules.length > 0 && [h('h4', {}, 'Rules that look at it'),
    ruleList(of.rules)],
  around.map((group) => h('details', {class: 'rules-around', open: of === null},
    h('summary', {}, `Rules that look at ${group.name} as a whole (${group.rules.length})`),
    ruleList(group.rules))),
  of !== null && of.rules.length === 0 && around.length === 0 &&
    h('p', {class: 'muted'}, 'No rule looks at it.')];
}

// For each byte the index of the deepest field that has it, or -1.
function labelsOf(fields, length) {
  const labels = new Int32Array(length).fill(-1);
  fields.forEach((of, i) => {
    if (of.kind !== 'group') {
      labels.fill(i, of.offset, Math.min(length, of.offset + of.length));
    }
  });
  return labels;
}

function numbersAt(bytes, at) {
  const view = new DataView(bytes.buffer);
  const rows = [['u8', 1, () => view.getUint8(at)], ['u16', 2, () => view.getUint16(at, true)],
    ['s16', 2, () => view.getInt16(at, true)], ['u32', 4, () => view.getUint32(at, true)],
    ['s32', 4, () => view.getInt32(at, true)]];
  return rows.filter(([, length]) => at + length <= bytes.length)
    .map(([name, , read]) => [h('dt', {}, name), h('dd', {}, String(read()))]);
}

function printable(byte) {
  return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·';
}

// faultsOf are the findings about bytes. One is about its byte and what follows in the same field;
// there may be very many of a field, so they are kept once for it and not for each of its bytes.
function faultsOf(findings, fields, labels) {
  const byPlace = new Map();
  const placeOf = (at) => (labels[at] < 0 ? -1 - at : labels[at]);
  for (const f of findings) {
    if (f.offset !== null && f.offset >= 0 && f.offset < labels.length) {
      const known = byPlace.get(placeOf(f.offset)) || {first: f.offset, list: []};
      known.first = Math.min(known.first, f.offset);
      known.list.push(f);
      byPlace.set(placeOf(f.offset), known);
    }
  }
  return {
    size: byPlace.size,
    has(at) {
      const known = byPlace.get(placeOf(at));
      return known !== undefined && known.first <= at;
    },
    at: (at) => ((byPlace.get(placeOf(at)) || {list: []}).list.filter((f) => f.offset <= at)),
  };
}

function hexPanel(asset, detail) {
  const bytes = fromBase64(detail.bytes);
  const fields = fieldsOf(detail, bytes);
  const labels = labelsOf(fields, bytes.length);
  const faults = faultsOf(asset.findings, fields, labels);
  const perLine = window.matchMedia('(max-width: 640px)').matches ? 8 : 16;
  const perPage = perLine * LINES_PER_PAGE;
  let page = 0;
  let chosen = 0;
  let fieldsPage = 0;
  const cells = new Map();
  const body = h('tbody', {});
  const panel = h('div', {class: 'byte', role: 'status', id: 'byte-panel'});
  const pages = pager('byte', (by) => {
    page = movedPage(page, by, perPage, bytes.length);
    chosen = page * perPage;
    showPage();
    tell(chosen);
  });

  function classOf(at) {
    const label = labels[at];
    const of = label < 0 ? null : fields[label];
    return [of !== null && `kind-${KINDS.includes(of.kind) ? of.kind : 'value'}`,
      of !== null && label % 2 === 1 && 'odd', of !== null && at === of.offset && 'first',
      faults.has(at) && 'fault'].filter(Boolean).join(' ');
  }
  function cell(at) {
    if (at >= bytes.length) {
      return h('td', {});
    }
    const made = h('td', {class: classOf(at), tabindex: at === chosen ? 0 : -1, 'data-at': at,
      role: 'gridcell'},
    bytes[at].toString(16).padStart(2, '0'));
    cells.set(at, made);
    return made;
  }
  function showPage() {
    cells.clear();
    const lines = [];
    const end = Math.min(bytes.length, (page + 1) * perPage);
    for (let at = page * perPage; at < end; at += perLine) {
      const here = Array.from({length: perLine}, (_, i) => at + i);
      lines.push(h('tr', {role: 'row'}, h('th', {scope: 'row', role: 'rowheader'}, hex(at, 4)),
        here.map(cell),
        h('td', {class: 'ascii', role: 'gridcell'}, here.filter((i) => i < bytes.length)
          .map((i) => printable(bytes[i])).join(''))));
    }
    fill(body, lines);
    pages.show(page, perPage, bytes.length);
  }
  function light(at, isOn) {
    const label = labels[at];
    const of = label < 0 ? {offset: at, length: 1} : fields[label];
    for (let i = of.offset; i < of.offset + of.length; i += 1) {
      const made = cells.get(i);
      if (made !== undefined) {
        made.classList.toggle('lit', isOn);
      }
    }
  }
  function tell(at) {
    light(chosen, false);
    const before = cells.get(chosen);
    if (before !== undefined) {
      before.tabIndex = -1;
    }
    chosen = at;
    light(chosen, true);
    const now = cells.get(chosen);
    if (now !== undefined) {
      now.tabIndex = 0;
    }
    const of = labels[at] < 0 ? null : fields[labels[at]];
    const groups = groupsAt(fields, labels[at], at, detail.is_text);
    const found = faults.at(at);
    fill(panel, h('p', {class: 'muted'}, `Byte ${hex(at, 4)} of the asset`),
      h('h3', {}, of === null ? 'No field is known here' : of.name),
      groups.length > 0 && h('p', {class: 'muted trail'},
        groups.map((group) => group.name).join(' › ')),
      h('dl', {class: 'facts'},
        of !== null && [h('dt', {}, 'Value'), h('dd', {class: 'mono'}, of.value || '–'),
          h('dt', {}, 'Kind'), h('dd', {}, of.kind),
          h('dt', {}, 'Bytes'), h('dd', {}, `${hex(of.offset, 4)}, ${plural(of.length, 'byte')}`)],
        numbersAt(bytes, at)),
      of !== null && of.doc && h('p', {}, `${of.doc}.`),
      found.length === 0 && h('p', {class: 'muted'}, 'No rule has a finding about it.'),
      found.slice(0, MOST_FAULTS).map((f) => h('p', {class: `fault-note ${f.severity}`},
        severityMark(f.severity), ruleLink(f.code), ' ', withLinks(f.message))),
      found.length > MOST_FAULTS && h('p', {class: 'muted'},
        `and ${plural(found.length - MOST_FAULTS, 'finding')} more, in the list above`),
      rulesAt(of, groups));
  }
  function go(at, isFocused) {
    const to = Math.min(bytes.length - 1, Math.max(0, at));
    const wanted = Math.floor(to / perPage);
    if (wanted !== page) {
      page = wanted;
      showPage();
    }
    tell(to);
    if (isFocused) {
      cells.get(to).focus();
    }
  }
  const steps = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: perLine, ArrowUp: -perLine,
    PageDown: perPage, PageUp: -perPage, Home: -Infinity, End: Infinity};
  body.addEventListener('keydown', (event) => {
    if (event.key in steps && !event.altKey && !event.metaKey) {
      event.preventDefault();
      go(chosen + steps[event.key], true);
    }
  });
  const onbyte = (event) => {
    const at = event.target instanceof Element && event.target.getAttribute('data-at');
    if (at !== null && at !== false && Number(at) !== chosen) {
      tell(Number(at));
    }
  };
  body.addEventListener('pointermove', (event) => {
    if (event.movementX !== 0 || event.movementY !== 0) { // not because the page moved below it
      onbyte(event);
    }
  });
  body.addEventListener('focusin', onbyte);
  body.addEventListener('click', onbyte);

  const list = h('tbody', {});
  const fieldPages = pager('field', (by) => {
    fieldsPage = movedPage(fieldsPage, by, FIELDS_PER_PAGE, fields.length);
    showFields();
  });
  function showFields() {
    fill(list, fields.slice(fieldsPage * FIELDS_PER_PAGE, (fieldsPage + 1) * FIELDS_PER_PAGE)
      .map((of) => h('tr', {class: of.kind === 'group' ? 'group' : null},
        h('td', {class: 'mono'}, hex(of.offset, 4)),
        h('th', {scope: 'row', class: `depth-${Math.min(8, of.depth)}`},
          h('button', {type: 'button', class: 'quiet', onclick: () => go(of.offset, true)},
            of.name)),
        h('td', {class: 'mono'}, of.value || ''))));
    fieldPages.show(fieldsPage, FIELDS_PER_PAGE, fields.length);
  }
  if (bytes.length > 0) {
    showPage();
    tell(0);
  }
  showFields();
  const kinds = KINDS.filter((kind) => fields.some((of) => of.kind === kind));
  const made = h('section', {class: 'panel', id: 'bytes'}, h('h2', {}, 'Bytes and fields'),
    detail.length > bytes.length && h('p', {class: 'notice'},
      `The first ${count(bytes.length)} of ${plural(detail.length, 'byte')} are in this page; ` +
      `framehound extract --ids ${asset.id} writes all of them.`),
    detail.fields_status !== 'ok' && h('p', {class: 'notice'}, detail.fields_status ===
      'unsupported' ? 'No layout of this format is known here, so the bytes have no names.'
      : `Naming the bytes ended early: ${detail.fields_status}.`),
    detail.fields_left_out > 0 && h('p', {class: 'notice'},
      `${plural(detail.fields_left_out, 'field')} behind these are not in this page.`),
    kinds.length > 0 && h('ul', {class: 'legend kinds'}, kinds.map((kind) =>
      h('li', {}, h('span', {class: `swatch kind-${kind}`, 'aria-hidden': 'true'}), kind)),
    faults.size > 0 && h('li', {}, h('span', {class: 'swatch fault', 'aria-hidden': 'true'}),
      'a finding is about it')),
    h('div', {class: 'hex-columns'},
      h('div', {class: 'hex-side'}, scroller('Bytes', h('table', {class: 'hex', role: 'grid',
        'aria-label': 'Bytes of the asset'}, body)), pages.bar), panel),
    fields.length > 0 && h('details', {class: 'field-list'},
      h('summary', {}, `All fields (${count(fields.length)})`),
      scroller('Fields', h('table', {class: 'plain'}, list)), fieldPages.bar));
  return {
    made,
    show(offset) {
      made.scrollIntoView({block: 'start'});
      go(offset, true);
    },
  };
}
