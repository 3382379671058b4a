// What an asset looks like: triangles with their images, moved by nodes and by morphing.

const FIXED_WEIGHT = 4096;

// A triangle comes as its colour and three corners: the node that moves it or -1, and x, y, z; then,
// if it has an image, its number and three times u, v. What morphing knows its corners by stands in
// a list beside.
function trianglesOf(scene) {
  return scene === null ? [] : scene.triangles.map(([colour, ...numbers], t) => ({
    colour: [colour >> 16 & 255, colour >> 8 & 255, colour & 255],
    corners: [0, 4, 8].map((i, k) => ({node: numbers[i], at: numbers.slice(i + 1, i + 4),
      vertex: scene.vertices.length > 0 ? scene.vertices[t][k] : -1})),
    image: numbers.length > 12 ? numbers[12] : -1,
    uv: [13, 15, 17].map((i) => numbers.slice(i, i + 2)),
  }));
}

// Where each node stands in a frame, to place what moves with it.
function placesOf(things) {
  return new Map(things.filter((thing) => thing.kind === 'node')
    .map((thing) => [thing.key, thing]));
}

// The corners of a triangle in the world; none where one of its nodes is nowhere.
function cornersOf({corners}, places, moved) {
  const points = corners.map(({node, at, vertex}) => {
    const place = places.get(node);
    const by = moved.get(vertex);
    const here = by === undefined ? at : at.map((n, i) => n + by[i]);
    return node < 0 ? here : place === undefined ? null : place.origin.map((n, i) =>
      n + here[0] * place.axes[0][i] + here[1] * place.axes[1][i] + here[2] * place.axes[2][i]);
  });
  return points.some((p) => p === null || !p.every(Number.isFinite)) ? [] : points;
}

// How far morphing moves each vertex in a frame, by its number. A weight is a word of the asset,
// whose low half counts; what is morphed itself counts last.
function movedOf(scene, play, frame) {
  const moved = new Map();
  if (scene === null || scene.deltas.length === 0) {
    return moved;
  }
  const weights = new Map(scene.weights);
  for (const name of ['word', 'morphed_word']) {
    const t = play.tables.findIndex(([table]) => table === name);
    (t < 0 ? [] : frame.rows[t]).forEach(([word, value]) => {
      if (weights.has(word)) {
        weights.set(word, (value << 16 >> 16) / FIXED_WEIGHT);
      }
    });
  }
  for (const [weight, number, ...by] of scene.deltas) {
    const much = weights.get(weight) || 0;
    if (much !== 0) {
      const before = moved.get(number) || [0, 0, 0];
      moved.set(number, before.map((n, i) => n + much * by[i]));
    }
  }
  return moved;
}

// An image as a canvas that is never in the page; its texels are looked up where a triangle has only
// one of them.
function imagesOf(scene) {
  return scene === null ? [] : scene.images.map(([width, height, covers, base64]) => {
    const texels = new Uint8ClampedArray(fromBase64(base64));
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d').putImageData(new ImageData(texels, width, height), 0, 0);
    return {width, height, covers: covers === 1, texels, canvas, pattern: null};
  });
}

// How texels become points of the canvas: an affine map, as the machine's own; null where the
// triangle has no area in its image.
function texelMap(image, uv, [a, b, c]) {
  const at = uv.map(([u, v]) => [u * image.width, v * image.height]);
  const [s1, t1] = [at[1][0] - at[0][0], at[1][1] - at[0][1]];
  const [s2, t2] = [at[2][0] - at[0][0], at[2][1] - at[0][1]];
  const area = s1 * t2 - s2 * t1;
  if (Math.abs(area) < 1e-6) {
    return null;
  }
  const along = (i) => {
    const [p, q] = [b[i] - a[i], c[i] - a[i]];
    return [(p * t2 - q * t1) / area, (q * s1 - p * s2) / area];
  };
  const [[xs, xt], [ys, yt]] = [along(0), along(1)];
  return new DOMMatrix([xs, ys, xt, yt, a[0] - xs * at[0][0] - xt * at[0][1],
    a[1] - ys * at[0][0] - yt * at[0][1]]);
}

function texelAt(image, [u, v]) {
  const x = Math.min(image.width - 1, Math.max(0, Math.floor(u * image.width)));
  const y = Math.min(image.height - 1, Math.max(0, Math.floor(v * image.height)));
  return image.texels.slice(4 * (y * image.width + x), 4 * (y * image.width + x) + 4);
}

// drawFace fills a triangle, whose path is there. Of an image that covers, the colour is multiplied
// in; one with holes keeps its own colours, or what is behind the holes would be coloured too.
function drawFace(ink, face, points, light, images) {
  const image = images[face.image];
  const map = image === undefined ? null : texelMap(image, face.uv, points);
  if (map === null) {
    const [r, g, b, a] = image === undefined ? [255, 255, 255, 255] : texelAt(image, face.uv[0]);
    const mixed = face.colour.map((n, i) => Math.round(n * light * [r, g, b][i] / 255));
    ink.fillStyle = `rgb(${mixed.join(' ')} / ${a / 255})`;
  } else {
    image.pattern = image.pattern || ink.createPattern(image.canvas, 'repeat');
    image.pattern.setTransform(map);
    ink.fillStyle = image.pattern;
  }
  ink.strokeStyle = ink.fillStyle;
  ink.fill();
  if (image === undefined || image.covers) {
    ink.stroke();
  }
  if (map !== null && image.covers) {
    ink.globalCompositeOperation = 'multiply';
    ink.fillStyle = `rgb(${face.colour.map((n) => Math.round(n * light)).join(' ')})`;
    ink.fill();
    ink.globalCompositeOperation = 'source-over';
  }
}
