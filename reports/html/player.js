// The player: the replayed motion, drawn as axes, lines to parents, cameras and their paths.

const ASSUMED_RATE = 30;
const START = {yaw: -0.6, pitch: 0.35, zoom: 1};
const MOST_TRAILS = 64;
const MOST_LABELS = 40;
const MOST_NAMES = 100;
const TEXT_EVERY_MS = 90;

// rateOf is frames a second, and whether the file says so.
function rateOf(scene) {
  return scene !== null && scene.rate > 0 ? {rate: scene.rate, isKnown: !scene.is_rate_assumed}
    : {rate: ASSUMED_RATE, isKnown: false};
}

// remarks are what the picture does not show of the asset.
function remarks(scene) {
  if (scene === null) {
    return null;
  }
  const texts = [...scene.remarks.map(safe),
    ...(scene.images_left_out > 0 ? [`${plural(scene.images_left_out, 'texture')} beyond those that ` +
      'this page has room for are not drawn, but by framehound replay -o FILE.glb'] : []),
    ...(scene.deltas_left_out > 0 ? [`${plural(scene.deltas_left_out, 'difference')} of morphing ` +
      'beyond those that this page has room for are not drawn'] : []),
    ...(scene.triangles_left_out > 0
      ? [`${plural(scene.triangles_left_out, 'triangle')} are not drawn`] : []),
    ...(scene.status === 'ok' ? [] : [`looking at it ended early: ${scene.status}`])];
  return texts.length > 0 && h('ul', {class: 'remarks'}, texts.map((text) => h('li', {}, text)));
}

// projector turns points of the scene into those of the canvas: turned, without perspective.
function projector(camera, bounds, isDown, width, height) {
  const [sinY, cosY, sinP, cosP] = [Math.sin(camera.yaw), Math.cos(camera.yaw),
    Math.sin(camera.pitch), Math.cos(camera.pitch)];
  const scale = camera.zoom * 0.42 * Math.min(width, height) / bounds.radius;
  const turn = ([x0, y0, z0]) => {
    const [y, z] = isDown ? [-y0, -z0] : [y0, z0];
    const x1 = x0 * cosY + z * sinY;
    const z1 = -x0 * sinY + z * cosY;
    return [x1, y * cosP - z1 * sinP, y * sinP + z1 * cosP];
  };
  const middle = turn(bounds.centre);
  const flat = ([x, y]) => [width / 2 + (x - middle[0]) * scale,
    height / 2 - (y - middle[1]) * scale];
  return {turn, flat, point: (p) => flat(turn(p))};
}

function playerPanel(asset, play, scene) {
  const frames = framesOf(play);
  const tables = placing(play, asset.format);
  const names = new Map(scene === null ? [] : scene.nodes.map(([id, name]) => [id, safe(name)]));
  const scenes = frames.map((frame) => sceneOf(tables, names, frame));
  const triangles = trianglesOf(scene);
  const images = imagesOf(scene);
  const bounds = boundsOf(scenes, triangles);
  const isDown = scene !== null && scene.is_y_down;
  const {rate, isKnown} = rateOf(scene);
  const camera = {...START};
  const shown = {trails: true, labels: true, model: true, loop: true, speed: 1};
  let now = 0;
  let started = null; // when, and at which frame, it began to play
  let lastText = 0;

  const canvas = h('canvas', {class: 'stage', tabindex: 0, role: 'application',
    'aria-label': 'Motion. Arrow keys turn it, plus and minus zoom, space plays.'});
  const scrub = h('input', {type: 'range', min: 0, max: frames.length - 1, step: 1, value: 0,
    id: 'scrub', 'aria-label': 'Frame'});
  const readout = h('output', {class: 'frame-readout', id: 'frame', for: 'scrub'});
  const text = h('pre', {class: 'pose', id: 'pose', tabindex: 0, role: 'region',
    'aria-label': 'Pose of the frame'});
  const playButton = iconButton('Play', 'play', () => toggle(), {class: 'primary', id: 'play'});

  // ---- drawing ----

  const colour = (name) => getComputedStyle(canvas).getPropertyValue(`--stage-${name}`).trim();

  function draw() {
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const ink = canvas.getContext('2d');
    ink.scale(scale, scale);
    ink.lineCap = 'round';
    ink.lineJoin = 'round';
    const to = projector(camera, bounds, isDown, width, height);
    const line = (points, stroke, thickness) => {
      ink.strokeStyle = stroke;
      ink.lineWidth = thickness;
      ink.beginPath();
      points.forEach((p, i) => (i === 0 ? ink.moveTo(...p) : ink.lineTo(...p)));
      ink.stroke();
    };
    drawGround(to, line);
    if (shown.model) {
      drawModel(ink, to);
    }
    if (shown.trails) {
      drawTrails(to, line);
    }
    const byKey = new Map(scenes[now].map((thing) => [thing.key, thing]));
    scenes[now].forEach((thing) => drawThing(ink, to, line, thing, byKey));
    if (shown.labels) {
      drawLabels(ink, to);
    }
    drawCompass(ink, to, line, height);
  }

  function drawGround(to, line) {
    const half = bounds.radius * 1.1;
    const floor = bounds.low ? (isDown ? (bounds.high || [0, 0, 0])[1] : bounds.low[1]) : 0;
    const [cx, , cz] = bounds.centre;
    for (let i = -5; i <= 5; i += 1) {
      const at = i * half / 5;
      line([to.point([cx + at, floor, cz - half]), to.point([cx + at, floor, cz + half])],
        colour('grid'), 1);
      line([to.point([cx - half, floor, cz + at]), to.point([cx + half, floor, cz + at])],
        colour('grid'), 1);
    }
  }

  // The nearest is drawn last. What faces the viewer is lighter.
  function drawModel(ink, to) {
    const places = placesOf(scenes[now]);
    const moved = movedOf(scene, play, frames[now]);
    const faces = triangles.map((triangle) => ({triangle,
      points: cornersOf(triangle, places, moved).map((p) => to.turn(p))}))
      .filter(({points}) => points.length === 3);
    const depth = ({points}) => points[0][2] + points[1][2] + points[2][2];
    faces.sort((a, b) => depth(a) - depth(b));
    ink.lineWidth = 0.6;
    ink.imageSmoothingEnabled = false;
    for (const {triangle, points: [a, b, c]} of faces) {
      const [u, v] = [b, c].map((p) => p.map((n, i) => n - a[i]));
      const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0]];
      const light = 0.55 + 0.45 * Math.abs(normal[2]) / (Math.hypot(...normal) || 1);
      const flat = [a, b, c].map((p) => to.flat(p));
      ink.beginPath();
      flat.forEach((p, i) => (i === 0 ? ink.moveTo(...p) : ink.lineTo(...p)));
      ink.closePath();
      drawFace(ink, triangle, flat, light, images);
    }
  }

  // There may be tens of thousands of frames in which nothing moves.
  const trails = new Map();
  scenes.forEach((scene) => scene.filter((thing) => thing.origin).forEach((thing) => {
    const trail = trails.get(thing.key);
    if (trail === undefined && trails.size < MOST_TRAILS) {
      trails.set(thing.key, [thing.origin]);
    } else if (trail !== undefined && trail[trail.length - 1].some((n, i) =>
      n !== thing.origin[i])) {
      trail.push(thing.origin);
    }
  }));

  function drawTrails(to, line) {
    for (const points of trails.values()) {
      line(points.map(to.point), colour('trail'), 1.5);
    }
  }

  function arm(from, direction, length) {
    return from.map((n, i) => n + direction[i] * length);
  }

  function drawThing(ink, to, line, thing, byKey) {
    const reach = bounds.radius * 0.09;
    if (thing.kind === 'light') {
      const length = Math.hypot(...thing.direction) || 1;
      const from = arm(bounds.centre, thing.direction, -bounds.radius * 0.9 / length);
      line([to.point(from), to.point(bounds.centre)], colour('light'), 1.5);
      return;
    }
    const at = to.point(thing.origin);
    const parent = byKey.get(thing.parent);
    if (parent !== undefined && parent !== thing && parent.origin) {
      line([to.point(parent.origin), at], colour('bone'), 3);
    }
    (thing.axes || []).forEach((axis, i) => {
      const length = Math.hypot(...axis);
      if (Number.isFinite(length) && length > 0) {
        line([at, to.point(arm(thing.origin, axis, reach * Math.min(4, Math.max(0.25, length)) /
          length))], colour('xyz'[i]), 2);
      }
    });
    if (thing.kind === 'camera' && thing.look) {
      drawCamera(to, line, thing, reach * 1.6);
    }
    ink.fillStyle = colour(thing.kind === 'node' ? 'node' : 'camera');
    ink.beginPath();
    ink.arc(...at, thing.kind === 'node' ? 3.5 : 5, 0, 7);
    ink.fill();
  }

  function drawCamera(to, line, thing, reach) {
    const unit = (v) => v.map((n) => n / (Math.hypot(...v) || 1));
    const [look, up, right] = [thing.look, thing.up, thing.right].map(unit);
    if ([...look, ...up, ...right].every(Number.isFinite)) {
      const corner = (x, y) => arm(arm(arm(thing.origin, look, reach), right, x * reach * 0.6), up,
        y * reach * 0.45);
      const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => corner(x, y));
      corners.forEach((p) => line([to.point(thing.origin), to.point(p)], colour('camera'), 1.5));
      line([...corners, corners[0]].map(to.point), colour('camera'), 1.5);
    }
    if (thing.target) {
      line([to.point(thing.origin), to.point(thing.target)], colour('look'), 1);
      const [x, y] = to.point(thing.target);
      line([[x - 5, y], [x + 5, y]], colour('camera'), 1.5);
      line([[x, y - 5], [x, y + 5]], colour('camera'), 1.5);
    }
  }

  function drawLabels(ink, to) {
    ink.font = '12px ui-monospace, monospace';
    ink.fillStyle = colour('text');
    scenes[now].filter((thing) => thing.origin).slice(0, MOST_LABELS).forEach((thing) => {
      const [x, y] = to.point(thing.origin);
      ink.fillText(thing.label, x + 7, y - 6);
    });
  }

  function drawCompass(ink, to, line, height) {
    const at = [34, height - 34];
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((axis, i) => {
      const [x, y] = to.turn(axis);
      line([at, [at[0] + 20 * x, at[1] - 20 * y]], colour('xyz'[i]), 2);
      ink.fillStyle = colour('text');
      ink.font = '11px ui-monospace, monospace';
      ink.fillText('xyz'[i], at[0] + 27 * x - 3, at[1] - 27 * y + 4);
    });
  }

  // ---- time ----

  function show(index, isHurried) {
    now = Math.min(frames.length - 1, Math.max(0, index));
    scrub.value = now;
    const seconds = (n) => `${(n / rate).toFixed(2)} s`;
    readout.textContent = `Frame ${now + 1} of ${frames.length} · number ${frames[now].number} · ` +
      `${seconds(now)} of ${seconds(Math.max(0, frames.length - 1))}`;
    scrub.setAttribute('aria-valuetext', `frame ${now + 1} of ${frames.length}`);
    const time = performance.now();
    if (!isHurried || time - lastText > TEXT_EVERY_MS) {
      lastText = time;
      text.textContent = poseText(play, frames[now]) || 'Nothing is there in this frame.';
    }
    draw();
  }

  function tick() {
    if (started === null || !canvas.isConnected) {
      started = null;
      return;
    }
    const gone = (performance.now() - started.time) / 1000 * rate * shown.speed;
    const index = started.frame + Math.floor(gone);
    if (index >= frames.length && !shown.loop) {
      show(frames.length - 1);
      stop();
      return;
    }
    const wanted = index % frames.length;
    if (wanted !== now) {
      show(wanted, true);
    }
    requestAnimationFrame(tick);
  }

  function stop() {
    started = null;
    label();
    show(now);
  }

  function label() {
    const name = started === null ? 'Play' : 'Pause';
    playButton.setAttribute('aria-label', name);
    playButton.title = name;
    fill(playButton, icon(started === null ? 'play' : 'pause'));
  }

  function toggle() {
    if (started !== null) {
      stop();
      return;
    }
    started = {time: performance.now(), frame: now === frames.length - 1 ? 0 : now};
    label();
    requestAnimationFrame(tick);
  }

  function jump(index) {
    if (started !== null) {
      stop();
    }
    show(index);
  }

  // ---- what the user does ----

  function turnBy(yaw, pitch) {
    camera.yaw += yaw;
    camera.pitch = Math.min(1.55, Math.max(-1.55, camera.pitch + pitch));
    draw();
  }
  function zoomBy(factor) {
    camera.zoom = Math.min(40, Math.max(0.1, camera.zoom * factor));
    draw();
  }
  const keys = {
    ' ': toggle, ArrowLeft: () => turnBy(-0.1, 0), ArrowRight: () => turnBy(0.1, 0),
    ArrowUp: () => turnBy(0, 0.1), ArrowDown: () => turnBy(0, -0.1),
    '+': () => zoomBy(1.2), '=': () => zoomBy(1.2), '-': () => zoomBy(1 / 1.2),
    ',': () => jump(now - 1), '.': () => jump(now + 1), Home: () => jump(0),
    End: () => jump(frames.length - 1),
  };
  canvas.addEventListener('keydown', (event) => {
    if (event.key in keys && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  let held = null;
  canvas.addEventListener('pointerdown', (event) => {
    held = [event.clientX, event.clientY];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (held !== null) {
      turnBy((event.clientX - held[0]) * 0.01, (event.clientY - held[1]) * 0.01);
      held = [event.clientX, event.clientY];
    }
  });
  ['pointerup', 'pointercancel'].forEach((name) => canvas.addEventListener(name, () => {
    held = null;
  }));
  canvas.addEventListener('wheel', (event) => {
    if (document.activeElement === canvas) { // else the page scrolls
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    }
  }, {passive: false});
  scrub.addEventListener('input', () => jump(Number(scrub.value)));

  const check = (key, name) => h('label', {class: 'check'}, h('input', {type: 'checkbox',
    checked: shown[key], onchange: (event) => {
      shown[key] = event.target.checked;
      draw();
    }}), name);
  const moves = frames.length > 1;
  const speeds = [0.1, 0.25, 0.5, 1, 2].map((speed) => [speed, `${speed} ×`]);
  const bar = moves && h('div', {class: 'controls'},
    iconButton('First frame', 'first', () => jump(0)),
    iconButton('One frame back', 'back', () => jump(now - 1), {id: 'back'}), playButton,
    iconButton('One frame on', 'on', () => jump(now + 1), {id: 'on'}),
    iconButton('Last frame', 'last', () => jump(frames.length - 1)), readout);
  const options = h('div', {class: 'controls small'}, moves && check('loop', 'Loop'),
    moves && check('trails', 'Paths'), check('labels', 'Names'),
    triangles.length > 0 && check('model', 'Model'),
    moves && choice('Speed', speeds, (value) => {
      shown.speed = Number(value);
      if (started !== null) {
        started = {time: performance.now(), frame: now};
      }
    }, 1),
    h('button', {type: 'button', onclick: () => {
      Object.assign(camera, START);
      draw();
    }}, 'Reset the view'));
  onRedraw(canvas, draw);
  show(0);
  return h('section', {class: 'panel player'}, h('h2', {}, 'Motion'),
    h('div', {class: 'stage-box'}, canvas,
      scenes.every((scene) => scene.length === 0) && h('p', {class: 'empty over'},
        'Its poses say nothing about places in space; the text below has all of them.')),
    bar, moves && scrub, options,
    play.kept < play.total && h('p', {class: 'notice'},
      `The first ${count(play.kept)} of ${plural(play.total, 'frame')} are in this page; ` +
      `framehound replay DB:${asset.id} prints all of them.`),
    play.why && h('p', {class: 'notice'}, `Replay: ${play.why}.`),
    h('p', {class: 'muted'}, `${play.evaluator || ''}: ${play.status || 'not played'}. `,
      !moves ? 'It is a single pose.' : isKnown ? `${(Math.round(rate * 100) / 100)} frames a second, as the file says.`
        : `The file leaves the time to the program: ${rate} frames a second are assumed.`,
      moves && bounds.isPoint && ' Everything stays in one place.'),
    remarks(scene),
    names.size > 0 && h('p', {class: 'muted names'}, [...names].slice(0, MOST_NAMES)
      .map(([id, name], i) => `${i > 0 ? ' · ' : ''}${scene.node || 'node'} ${id}: ${name}`),
    names.size > MOST_NAMES && ` · and ${names.size - MOST_NAMES} more`),
    h('details', {class: 'pose-box', open: true}, h('summary', {}, 'Pose of this frame'), text));
}
