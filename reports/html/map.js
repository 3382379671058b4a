// The map of a disc: a cell for each sector, or for several, by what it holds.

const CLAIMS = {
  data: 'Data', empty: 'Empty', form2: 'Form 2', xa_audio: 'XA audio', movie: 'Movie',
  mode0: 'Mode 0', repeated: 'Repeated', audio: 'CD audio', lost: 'Lost: no sector',
  outside: 'Outside of sectors', plain: 'Plain file', ram: 'Main memory', mirror: 'Memory mirrored',
  state: 'Rest of a state', unknown: 'Not told',
};
const CLAIM_NAMES = Object.keys(CLAIMS);
const IS_ASSET = 0x80;
const IS_BAD = 0x40;
const IS_ODD = 0x20; // of an asset: neighbours are told apart
const CLAIM_BITS = 0x0f;
const PLAIN_UNIT = 2048;
const MOST_UNITS = 1 << 23; // 16 GiB; of what is larger several sectors are one unit
const SMALLEST_CELL = 6;
const LARGEST_CELL = 28;
const MAPS_OFFERED = 500;

// User data of a sector.
const USER_LENGTH = 2048;

function unitOf(source) {
  const layout = Number(source.layout);
  return layout >= USER_LENGTH ? layout : PLAIN_UNIT;
}

function isBad(finding) {
  return finding.code.startsWith('IMG') && finding.severity !== 'note' && finding.raw !== null;
}

// Where an asset lies in its source: pairs of first byte and byte behind the last one.
function spansOf(asset) {
  const unit = unitOf(asset.source);
  const span = (raw, length) => {
    const sectors = unit === USER_LENGTH ? 0 : Math.ceil(length / USER_LENGTH);
    return [raw, raw + (sectors === 0 ? length : (sectors - 1) * unit + USER_LENGTH)];
  };
  if (asset.raw === null || asset.length === null) {
    return [];
  }
  return asset.pieces.length > 0 ? asset.pieces.map(([, raw, length]) => span(raw, length))
    : [span(asset.raw, asset.length)];
}

// What each unit holds: a claim, and whether it has an asset or is bad.
function unitsOf(source) {
  let unit = unitOf(source);
  while (source.size / unit > MOST_UNITS) {
    unit *= 2;
  }
  const total = Math.ceil((source.size || 0) / unit);
  const units = new Uint8Array(total).fill(CLAIM_NAMES.indexOf('unknown'));
  const at = (raw) => Math.min(total, Math.max(0, Math.floor(raw / unit)));
  for (const run of source.runs) {
    if (run.raw !== null) {
      const claim = CLAIM_NAMES.indexOf(run.claim);
      units.fill(claim < 0 ? CLAIM_NAMES.indexOf('unknown') : claim, at(run.raw),
        at(run.raw + run.length + unit - 1));
    }
  }
  const mark = (from, to, bits) => {
    for (let i = at(from); i < Math.max(at(from) + 1, at(to - 1) + 1) && i < total; i += 1) {
      units[i] |= bits;
    }
  };
  source.assets.forEach((asset, i) => spansOf(asset).forEach(([from, to]) =>
    mark(from, to, IS_ASSET | (i % 2 === 1 ? IS_ODD : 0))));
  source.findings.filter(isBad).forEach((f) => mark(f.raw, f.raw + 1, IS_BAD));
  for (let i = 0; i < total; i += 1) {
    units[i] |= (units[i] & CLAIM_BITS) === CLAIM_NAMES.indexOf('lost') ? IS_BAD : 0;
  }
  return {unit, total, units};
}

function discPanel() {
  const drawn = db.sources.filter((source) => source.size > 0)
    .sort((a, b) => b.assets.length - a.assets.length || b.size - a.size);
  const offered = drawn.slice(0, MAPS_OFFERED);
  const place = h('div', {});
  const show = (index) => fill(place, discMap(offered[index]));
  if (offered.length === 0) {
    return h('section', {class: 'panel'}, h('h2', {}, 'Map'),
      h('p', {class: 'empty'}, 'No source has a known size, so there is nothing to draw.'));
  }
  setTimeout(() => show(0)); // the width is known when the view is in the page
  return h('section', {class: 'panel'}, h('div', {class: 'head'}, h('h2', {}, 'Map'),
    offered.length > 1 && choice('Source', offered.map((source, i) => [i, source.path]),
      (value) => show(Number(value)), 0)),
  place, drawn.length > MAPS_OFFERED && h('p', {class: 'notice'},
    `The ${MAPS_OFFERED} sources with the most assets can be chosen, of ${count(drawn.length)}.`));
}

function legend(source, has) {
  const sums = new Map();
  for (const run of source.runs) {
    const sum = sums.get(run.claim) || {length: 0, sectors: 0, hidden: 0};
    sum.length += run.length || 0;
    sum.sectors += run.sectors || 0;
    sum.hidden += run.raw === null ? run.runs || 0 : 0;
    sums.set(run.claim, sum);
  }
  const rows = [...sums].sort((a, b) => b[1].length - a[1].length);
  const hidden = rows.reduce((sum, [, of]) => sum + of.hidden, 0);
  const item = (name, title, text) => h('li', {},
    h('span', {class: `swatch claim-${name}`, 'aria-hidden': 'true'}), h('span', {}, title),
    text && h('span', {class: 'muted'}, text));
  return [h('ul', {class: 'legend'},
    has.asset && item('asset', 'Holds an asset', plural(source.assets.length, 'asset')),
    has.bad && item('bad', 'Bad', 'a finding, or lost'),
    rows.map(([claim, sum]) => item(claim in CLAIMS ? claim : 'unknown', CLAIMS[claim] || claim,
      `${sum.sectors > 0 ? plural(sum.sectors, 'sector') : size(sum.length)}, ` +
      `${(100 * sum.length / source.size).toFixed(1)} %`))),
  hidden > 0 && h('p', {class: 'notice'}, `${plural(hidden, 'short run')} of sectors ` +
    'are known by their sum only: they count above, and the map has them as not told.')];
}

function discMap(source) {
  const {unit, total, units} = unitsOf(source);
  const has = {asset: units.some((u) => u & IS_ASSET), bad: units.some((u) => u & IS_BAD)};
  const canvas = h('canvas', {class: 'disc', tabindex: 0, role: 'application',
    'aria-label': 'Map of the sectors. Arrow keys move, plus and minus zoom, Enter opens the asset.',
    'aria-describedby': 'disc-readout'});
  const readout = h('p', {id: 'disc-readout', class: 'readout', role: 'status'});
  const position = h('input', {type: 'range', min: 0, max: 1000, value: 0,
    'aria-label': 'Part of the disc that is shown'});
  const view = {zoom: 0, first: 0, cursor: 0};
  let grid = {};

  const colour = (name) => getComputedStyle(canvas).getPropertyValue(`--claim-${name}`).trim();
  const layout = () => {
    const width = canvas.clientWidth;
    const height = window.matchMedia('(max-width: 640px)').matches ? 220 : 280;
    const room = (cell) => Math.floor(width / cell) * Math.floor(height / cell);
    let cell = SMALLEST_CELL;
    while (cell < LARGEST_CELL && room(cell + 1) >= total) {
      cell += 1;
    }
    let per = Math.max(1, Math.ceil(total / Math.max(1, room(cell))));
    for (let i = 0; i < view.zoom; i += 1) {
      if (per > 1) {
        per = Math.ceil(per / 2);
      } else {
        cell = Math.min(LARGEST_CELL, Math.ceil(cell * 1.4));
      }
    }
    const columns = Math.max(1, Math.floor(width / cell));
    const lines = Math.max(1, Math.floor(height / cell));
    grid = {cell, per, columns, lines, shown: columns * lines * per,
      canZoom: per > 1 || cell < LARGEST_CELL};
    const step = columns * per;
    const last = Math.max(0, Math.ceil((total - grid.shown) / step) * step);
    view.first = Math.min(last, Math.max(0, Math.floor(view.first / step) * step));
    const used = Math.min(lines, Math.ceil((total - view.first) / step));
    canvas.style.height = `${used * cell}px`;
    return {width, height: used * cell, last};
  };

  const look = (at) => {
    const end = Math.min(total, at + grid.per);
    const seen = new Uint32Array(CLAIM_NAMES.length);
    let bits = 0;
    for (let i = at; i < end; i += 1) {
      seen[units[i] & CLAIM_BITS] += 1;
      bits |= units[i];
    }
    return {bits, claim: seen.indexOf(Math.max(...seen))};
  };

  const draw = () => {
    const {width, height, last} = layout();
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const ink = canvas.getContext('2d');
    ink.scale(scale, scale);
    const colours = CLAIM_NAMES.map(colour);
    const [asset, odd, bad, ring] = ['asset', 'asset-odd', 'bad', 'ring'].map(colour);
    const gap = grid.cell > 10 ? 2 : 1;
    const edge = grid.cell - gap;
    for (let n = 0; n < grid.columns * grid.lines; n += 1) {
      const at = view.first + n * grid.per;
      if (at >= total) {
        break;
      }
      const {bits, claim} = look(at);
      const x = (n % grid.columns) * grid.cell;
      const y = Math.floor(n / grid.columns) * grid.cell;
      ink.fillStyle = bits & IS_BAD ? bad : !(bits & IS_ASSET) ? colours[claim]
        : bits & IS_ODD && grid.per === 1 ? odd : asset;
      ink.fillRect(x, y, edge, edge);
      if ((bits & (IS_BAD | IS_ASSET)) === (IS_BAD | IS_ASSET)) {
        ink.fillStyle = asset;
        ink.fillRect(x, y + edge / 2, edge, edge / 2);
      }
      if (view.cursor >= at && view.cursor < at + grid.per && document.activeElement === canvas) {
        ink.strokeStyle = ring;
        ink.lineWidth = 2;
        ink.strokeRect(x, y, edge, edge);
      }
    }
    position.max = last;
    position.step = grid.columns * grid.per;
    position.value = view.first;
    position.disabled = last === 0;
    buttons[0].disabled = view.zoom === 0;
    buttons[1].disabled = !grid.canZoom;
  };

  const spans = source.assets.flatMap((asset) => spansOf(asset).map(([a, b]) => [a, b, asset]));
  const assetsAt = (from, to) => [...new Set(spans.filter(([first, end]) => first < to &&
    end > from).map(([, , asset]) => asset))];

  const tell = (at) => {
    if (at === null || at >= total) {
      return;
    }
    view.cursor = at;
    const end = Math.min(total, at + grid.per);
    const {bits, claim} = look(at);
    const run = source.runs.find((r) => r.raw !== null && r.raw <= at * unit &&
      r.raw + r.length > at * unit);
    const lba = run && run.lba !== null ? run.lba + Math.floor((at * unit - run.raw) / unitOf(source))
      : null;
    const assets = assetsAt(at * unit, end * unit);
    const bad = source.findings.filter((f) => isBad(f) && f.raw >= at * unit && f.raw < end * unit);
    fill(readout, h('strong', {}, end - at === 1 ? `Block ${count(at)}`
      : `Blocks ${count(at)}–${count(end - 1)}`),
    ` from byte ${hex(at * unit)}`, lba !== null && `, LBA ${lba} (${msf(lba)})`,
    `: ${(CLAIMS[CLAIM_NAMES[claim]] || '').toLowerCase()}`, bits & IS_BAD ? ', bad' : '',
    bad.slice(0, 3).map((f) => [' ', ruleLink(f.code)]),
    assets.length > 0 && [' · ', assets.slice(0, 4).map((a, i) => [i > 0 && ', ', assetLink(a)]),
      assets.length > 4 && ` and ${assets.length - 4} more`]);
  };

  const unitAt = (event) => {
    const box = canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / grid.cell);
    const line = Math.floor((event.clientY - box.top) / grid.cell);
    return column < 0 || column >= grid.columns || line < 0 || line >= grid.lines ? null
      : view.first + (line * grid.columns + column) * grid.per;
  };

  const openAt = (at) => {
    const [asset] = assetsAt(at * unit, Math.min(total, at + grid.per) * unit);
    if (asset !== undefined) {
      location.hash = `#/asset/${asset.id}`;
    }
  };

  const zoom = (by) => {
    view.zoom = Math.max(0, view.zoom + (by > 0 && !grid.canZoom ? 0 : by));
    layout();
    view.first = Math.max(0, view.cursor - Math.floor(grid.shown / 2));
    draw();
    tell(view.cursor);
  };

  const moveCursor = (by) => {
    view.cursor = Math.min(total - 1, Math.max(0,
      Math.floor(view.cursor / grid.per) * grid.per + by * grid.per));
    if (view.cursor < view.first || view.cursor >= view.first + grid.shown) {
      view.first = view.cursor - Math.floor(grid.shown / 2);
    }
    draw();
    tell(view.cursor);
  };

  const keys = {
    ArrowRight: () => moveCursor(1), ArrowLeft: () => moveCursor(-1),
    ArrowDown: () => moveCursor(grid.columns), ArrowUp: () => moveCursor(-grid.columns),
    PageDown: () => moveCursor(grid.columns * grid.lines),
    PageUp: () => moveCursor(-grid.columns * grid.lines),
    Home: () => moveCursor(-total), End: () => moveCursor(total),
    '+': () => zoom(1), '=': () => zoom(1), '-': () => zoom(-1),
    Enter: () => openAt(view.cursor),
  };
  canvas.addEventListener('keydown', (event) => {
    if (event.key in keys && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  canvas.addEventListener('pointermove', (event) => tell(unitAt(event)));
  canvas.addEventListener('click', (event) => {
    const at = unitAt(event);
    if (at !== null && at < total) {
      tell(at);
      openAt(at);
    }
  });
  canvas.addEventListener('focus', draw);
  canvas.addEventListener('blur', draw);
  position.addEventListener('input', () => {
    view.first = Number(position.value);
    draw();
  });
  const buttons = [['Zoom out', 'minus', -1], ['Zoom in', 'plus', 1]].map(
    ([name, sign, by]) => iconButton(name, sign, () => zoom(by)));
  onRedraw(canvas, draw);
  setTimeout(() => {
    draw();
    tell(0);
  });
  return h('div', {class: 'map'}, canvas,
    h('div', {class: 'bar'}, buttons, position), readout, legend(source, has));
}

// ---- what has to be drawn again when its size or the colours change ----

const redraws = new Map();

function onRedraw(canvas, draw) {
  redraws.set(canvas, draw);
  new ResizeObserver(() => draw()).observe(canvas);
}

function redrawAll() {
  for (const [canvas, draw] of redraws) {
    if (canvas.isConnected) {
      draw();
    } else {
      redraws.delete(canvas);
    }
  }
}
