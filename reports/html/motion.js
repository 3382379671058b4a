// Poses: their frames put together, and what of them can be drawn.

// Matrices of these formats are of fixed-point numbers in which this is 1.0.
const FIXED_ONE = 4096;
const FIXED_FORMATS = ['tod', 'hmd'];

// framesOf turns the frames of the page, which say what differs from the frame before, into lists of
// rows for each table. Rows that stay the same are the same array.
function framesOf(play) {
  let before = play.tables.map(() => []);
  return play.frames.map(([number, ...tables]) => {
    const rows = play.tables.map((_, t) => {
      const made = [];
      for (const entry of tables[t] || []) {
        if (typeof entry === 'number') {
          for (let i = 0; i < entry; i += 1) {
            made.push(before[t][made.length]);
          }
        } else {
          made.push(entry);
        }
      }
      return made;
    });
    before = rows;
    return {number, rows};
  });
}

// poseText is a frame as framehound replay prints it: each table with its columns.
function poseText(play, frame) {
  const width = (name) => Math.max(11, name.length);
  const line = (cells, columns) => columns.map((name, i) =>
    String(cells[i] === null ? '-' : cells[i]).padStart(width(name))).join('  ');
  return play.tables.map(([name, columns], t) => (frame.rows[t].length === 0 ? '' :
    `${name}\n${[columns, ...frame.rows[t]].map((cells) => line(cells, columns)).join('\n')}\n`))
    .join('');
}

// ---- what is drawn ----

// A table that says where things are: names of its columns, and which of them to read.
function placing(play, format) {
  const one = FIXED_FORMATS.includes(format) ? FIXED_ONE : 1;
  return play.tables.map(([name, columns], t) => {
    const at = (column) => columns.indexOf(column);
    const has = (...wanted) => wanted.every((column) => at(column) >= 0);
    const triple = (prefix) => ['x', 'y', 'z'].map((axis) => at(`${prefix}_${axis}`));
    const base = {name, table: t, one};
    if (has('m00', 't0')) {
      return {...base, kind: name === 'camera' ? 'view' : 'node',
        matrix: [0, 1, 2].map((r) => [0, 1, 2].map((c) => at(`m${r}${c}`))),
        origin: [0, 1, 2].map((i) => at(`t${i}`)),
        parent: Math.max(at('parent'), at('parent_slot'))};
    }
    if (has('position_x')) {
      return {...base, kind: has('target_x') ? 'camera' : 'point', origin: triple('position'),
        target: triple('target'), up: triple('up'), right: triple('right')};
    }
    return has('direction_x') && at('bone') < 0
      ? {...base, kind: 'light', direction: triple('direction')} : null;
  }).filter((of) => of !== null);
}

function pick(row, indices) {
  return indices.map((i) => (i < 0 || row[i] === null ? NaN : row[i]));
}

// Things of one frame: nodes with origin and axes, cameras, points, lights.
function sceneOf(tables, names, frame) {
  const nodes = tables.filter((of) => of.kind === 'node');
  const placed = nodes.find((of) => of.name === 'world' && frame.rows[of.table].length > 0) ||
    nodes.find((of) => frame.rows[of.table].length > 0);
  const parents = nodes.find((of) => of.parent >= 0);
  const parentOf = new Map(parents === undefined ? [] : frame.rows[parents.table]
    .map((row) => [row[0], row[parents.parent]]));
  const things = [];
  const isFinite3 = (vector) => vector.every(Number.isFinite);
  for (const of of placed === undefined ? [] : [placed]) {
    for (const row of frame.rows[of.table]) {
      const origin = pick(row, of.origin);
      const matrix = of.matrix.map((line) => pick(row, line).map((n) => n / of.one));
      if (isFinite3(origin)) {
        things.push({kind: 'node', key: row[0], label: names.get(row[0]) || String(row[0]), origin,
           axes: [0, 1, 2].map((c) => matrix.map((line) => line[c])),
          parent: of.name === 'world' || nodes.length === 1 ? parentOf.get(row[0]) : undefined});
      }
    }
  }
  for (const of of tables.filter((t) => t.kind === 'view')) {
    for (const row of frame.rows[of.table]) { // from the world to the camera: turned back here
      const m = of.matrix.map((line) => pick(row, line).map((n) => n / of.one));
      const t = pick(row, of.origin);
      const back = (v) => [0, 1, 2].map((c) => m[0][c] * v[0] + m[1][c] * v[1] + m[2][c] * v[2]);
      const origin = back(t.map((n) => -n));
      if (isFinite3(origin)) {
        things.push({kind: 'camera', key: `camera ${row[0]}`, label: 'camera', origin,
          look: m[2], up: m[1].map((n) => -n), right: m[0]});
      }
    }
  }
  for (const of of tables.filter((t) => t.kind === 'camera' || t.kind === 'point')) {
    for (const row of frame.rows[of.table]) {
      const origin = pick(row, of.origin);
      const target = pick(row, of.target);
      if (isFinite3(origin)) {
        things.push({kind: of.kind === 'camera' ? 'camera' : 'point', key: of.name,
          label: of.name, origin, target: isFinite3(target) ? target : null,
          look: isFinite3(target) ? target.map((n, i) => n - origin[i]) : null,
          up: pick(row, of.up), right: pick(row, of.right)});
      }
    }
  }
  for (const of of tables.filter((t) => t.kind === 'light')) {
    for (const row of frame.rows[of.table]) {
      const direction = pick(row, of.direction);
      if (isFinite3(direction)) {
        things.push({kind: 'light', key: `light ${row[0]}`, label: `light ${row[0]}`, direction});
      }
    }
  }
  return things;
}

// The box around everything that has a place, over all frames; unit size where nothing does.
function boundsOf(scenes, triangles) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const take = (point) => point.forEach((n, i) => {
    low[i] = Math.min(low[i], n);
    high[i] = Math.max(high[i], n);
  });
  for (const thing of scenes.flat()) {
    if (thing.origin) {
      take(thing.origin);
    }
    if (thing.target) {
      take(thing.target);
    }
  }
  if (scenes.length > 0) {
    const places = placesOf(scenes[0]);
    triangles.forEach((triangle) => cornersOf(triangle, places, new Map()).forEach(take));
  }
  if (!(low[0] <= high[0])) {
    return {centre: [0, 0, 0], radius: 1, low: [0, 0, 0]};
  }
  const centre = low.map((n, i) => (n + high[i]) / 2);
  const radius = Math.hypot(...high.map((n, i) => n - low[i])) / 2;
  return {centre, low, high, radius: radius > 0 ? radius : 1, isPoint: !(radius > 0)};
}
