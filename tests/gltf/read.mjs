// Reads glTF as others do: the validator of Khronos, and the AnimationMixer of three.js, whose poses
// are held against those that `framehound replay --format json` printed.
//
// Usage: node read.mjs MODULES < JOBS. A job is a line of JSON: {"name", "file", "poses"}; poses may
// be missing. A line of JSON answers it: {"name", "issues", "hints", "worst", "where", "compared"}.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = resolve(process.argv[2]);
const require = createRequire(join(modules, 'package.json'));
const validator = require('gltf-validator');
const three = pathToFileURL(join(modules, 'node_modules/three')).href;
const THREE = await import(`${three}/build/three.module.js`);
const { GLTFLoader } = await import(`${three}/examples/jsm/loaders/GLTFLoader.js`);

globalThis.ProgressEvent ??= class extends Event {}; // what loads a data URI wants one

const UNTIL_INFO = 2; // errors are 0, warnings 1, infos 2, hints 3

async function validate(bytes) {
  const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 0 });
  const of = (is) => report.issues.messages.filter((m) => is(m.severity));
  const hints = {};
  for (const message of of((s) => s >= UNTIL_INFO)) {
    hints[message.code] = (hints[message.code] ?? 0) + 1;
  }
  return { issues: of((s) => s < UNTIL_INFO).slice(0, 5).map((m) => `${m.code} ${m.pointer} ${m.message}`), hints };
}

// There are no images outside of a browser; motion needs none.
async function load(bytes) {
  const loader = new GLTFLoader();
  loader.register(() => ({ name: 'no images', loadTexture: async () => new THREE.Texture() }));
  const data = bytes[0] === 0x67 // "glTF", else text
    ? bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    : new TextDecoder().decode(bytes);
  return new Promise((done, fail) => loader.parse(data, '', done, fail));
}

class Comparison {
  constructor() {
    this.worst = 0;
    this.where = '';
    this.compared = 0;
    this.wrong = [];
  }

  // Lists of numbers, apart by so much of the largest of them, or of 1.
  near(seen, wanted, where, least = 1) {
    const size = Math.max(least, ...wanted.map(Math.abs));
    for (let i = 0; i < wanted.length; i++) {
      const apart = Math.abs(seen[i] - wanted[i]) / size;
      this.compared++;
      if (!(apart <= this.worst)) {
        this.worst = Number.isNaN(apart) ? Infinity : apart;
        this.where = `${where}: ${seen[i]} is not ${wanted[i]}`;
      }
    }
  }

  same(seen, wanted, where) {
    this.compared++;
    if (seen !== wanted && this.wrong.length < 5) {
      this.wrong.push(`${where}: ${seen} is not ${wanted}`);
    }
  }
}

function local(node) {
  const matrix = new THREE.Matrix4().compose(node.position, node.quaternion, node.scale);
  const inner = node.children.find((c) => c.userData.role === 'inner' && node.userData.role === 'outer');
  return inner === undefined ? matrix : matrix.multiply(local(inner));
}

const rows3 = (m) => [0, 1, 2].flatMap((r) => [0, 1, 2].map((c) => m.elements[4 * c + r]));
const origin = (m) => [m.elements[12], m.elements[13], m.elements[14]];
const named = (row, names, by = 1) => names.map((n) => row[n] / by);
const MATRIX = ['m00', 'm01', 'm02', 'm10', 'm11', 'm12', 'm20', 'm21', 'm22'];
const ORIGIN = ['t0', 't1', 't2'];

function compareMatrix(comparison, matrix, row, one, where) {
  comparison.near(rows3(matrix), named(row, MATRIX, one), `${where} matrix`);
  comparison.near(origin(matrix), named(row, ORIGIN), `${where} origin`);
}

// Who the node of a pose hangs on: what has a kind and is no part of the pose itself.
function parentOf(node) {
  let at = node.parent;
  while (at !== null && at.userData.role === 'rest') {
    at = at.parent;
  }
  return at?.userData.kind === 'node' ? at.userData.id : -1;
}

class Reader {
  constructor(gltf, poses, comparison) {
    this.gltf = gltf;
    this.poses = poses;
    this.comparison = comparison;
    this.nodes = new Map();
    this.placed = new Set(poses.frames.flatMap((frame) => (frame.world ?? [])
      .map((row) => `${row.slot} ${row.object}`)));
    this.looks = [];
    this.morphed = [];
    this.weights = new Map();
    this.rate = gltf.asset.extras.frames_a_second;
    gltf.scene.traverse((node) => {
      const is = node.userData;
      if (is.role === 'pose' || is.role === 'outer') {
        this.nodes.set(`${is.kind} ${is.id} ${is.tenant}`, node);
      } else if (is.role === 'look') {
        this.looks.push(node);
      }
      if (is.weight_words !== undefined && node.morphTargetInfluences !== undefined) {
        this.morphed.push(node);
      }
    });
  }

  node(kind, id, tenant, where) {
    const node = this.nodes.get(`${kind} ${id} ${tenant}`);
    this.comparison.same(node !== undefined, true, `${where} is there`);
    return node;
  }

  tod(frame, where) {
    const worlds = new Map((frame.world ?? []).map((row) => [row.slot, row]));
    const seen = new Map();
    for (const row of frame.object ?? []) {
      const here = `${where} object ${row.object}`;
      const node = this.node('node', row.slot, row.object, here);
      seen.set(`${row.slot} ${row.object}`, row);
      if (node === undefined) continue;
      if (node.userData.is_world && worlds.has(row.slot)) {
        compareMatrix(this.comparison, local(node), worlds.get(row.slot), 4096, `${here} world`);
      } else if (node.userData.is_world && this.placed.has(`${row.slot} ${row.object}`)) {
        const isSaid = this.gltf.asset.extras.remarks.some((r) => r.includes('their own ancestors'));
        this.comparison.same(isSaid, true, `${here} that it has no world is said`);
      } else {
        compareMatrix(this.comparison, local(node), row, 4096, here);
        if (!node.userData.is_world) {
          this.comparison.same(parentOf(node), row.parent_slot ?? -1, `${here} parent`);
        }
      }
    }
    for (const look of this.looks) {
      const row = seen.get(`${look.userData.id} ${look.userData.tenant}`);
      const isShown = row !== undefined && (row.attribute & 0x80000000) === 0;
      if (this.gltf.isMarked) {
        this.comparison.near([look.scale.x], [isShown ? 1 : 0], `${where} look`);
      }
    }
    for (const row of frame.light ?? []) {
      this.light(row, -1, where);
    }
  }

  light(row, sign, where) {
    const wanted = new THREE.Vector3(row.direction_x, row.direction_y, row.direction_z);
    const node = this.node('light', row.light, 0, `${where} light`);
    if (wanted.length() > 0 && node !== undefined) {
      wanted.normalize().multiplyScalar(sign);
      const seen = new THREE.Vector3().setFromMatrixColumn(local(node), 2);
      this.comparison.near(seen.toArray(), wanted.toArray(), `${where} light ${row.light}`);
    }
  }

  hmd(frame, where) {
    const rows = new Map((frame.coordinate ?? []).map((row) => [row.coordinate, row]));
    for (const row of frame.morphed_coordinate ?? []) {
      rows.set(row.coordinate, row);
    }
    for (const row of rows.values()) {
      const here = `${where} coordinate ${row.coordinate}`;
      const node = this.node('node', row.coordinate, 0, here);
      if (node === undefined) continue;
      compareMatrix(this.comparison, local(node), row, 4096, here);
      this.comparison.same(parentOf(node), row.parent, `${here} parent`);
    }
    for (const row of [...(frame.word ?? []), ...(frame.morphed_word ?? [])]) {
      this.weights.set(row.word, (row.value << 16 >> 16) / 4096);
    }
    for (const mesh of this.morphed) {
      mesh.userData.weight_words.forEach((word, i) => {
        if (this.weights.has(word)) {
          this.comparison.near([mesh.morphTargetInfluences[i]], [this.weights.get(word)],
            `${where} weight ${word}`);
        }
      });
    }
    for (const row of frame.light ?? []) {
      this.light(row, 1, where);
    }
    for (const row of frame.camera ?? []) {
      const node = this.node('view', 0, 0, `${where} camera`);
      if (node !== undefined) {
        compareMatrix(this.comparison, local(node).invert(), row, 4096, `${where} camera`);
      }
    }
  }

  tra(frame, where) {
    for (const row of frame.bone ?? []) {
      const node = this.node('node', row.bone, 0, `${where} bone ${row.bone}`);
      if (node !== undefined) {
        compareMatrix(this.comparison, local(node), row, 1, `${where} bone ${row.bone}`);
      }
    }
    this.gltf.scene.updateMatrixWorld(true);
    for (const row of frame.world ?? []) {
      const node = this.node('node', row.bone, 0, `${where} world ${row.bone}`);
      const inner = node?.children.find((c) => c.userData.role === 'inner') ?? node;
      if (node !== undefined) {
        compareMatrix(this.comparison, inner.matrixWorld, row, 1, `${where} world ${row.bone}`);
      }
    }
  }

  camerawork(frame, where) {
    const vector = (row, name) => named(row, ['_x', '_y', '_z'].map((axis) => name + axis));
    for (const row of frame.camera ?? []) {
      const matrix = local(this.node('camera', 0, 0, `${where} camera`));
      const column = (i) => new THREE.Vector3().setFromMatrixColumn(matrix, i).toArray();
      this.comparison.near(origin(matrix), vector(row, 'position'), `${where} position`);
      this.comparison.near(column(0), vector(row, 'right'), `${where} right`);
      this.comparison.near(column(1), vector(row, 'up'), `${where} up`);
    }
    for (const row of frame.anchor ?? []) {
      const matrix = local(this.node('node', 0, 0, `${where} anchor`));
      this.comparison.near(origin(matrix), vector(row, 'position'), `${where} anchor`);
    }
  }

  run() {
    const frames = this.poses.frames;
    const isByIndex = this.gltf.asset.extras.remarks.some((r) => r.includes('frames follow each other'));
    const clip = this.gltf.animations[0];
    let mixer;
    if (clip !== undefined) {
      mixer = new THREE.AnimationMixer(this.gltf.scene);
      const action = mixer.clipAction(clip);
      action.setLoop(THREE.LoopOnce);
      action.clampWhenFinished = true;
      action.play();
    }
    this.comparison.same(this.gltf.asset.extras.frames, frames.length, 'number of frames');
    frames.forEach((frame, index) => {
      const tick = isByIndex ? index : frame.number - frames[0].number;
      if (mixer !== undefined) {
        mixer.setTime(0);
        mixer.clipAction(clip).reset().setLoop(THREE.LoopOnce).play();
        mixer.update(Math.fround(tick / this.rate));
      }
      this[this.poses.format](frame, `frame ${index}`);
    });
  }
}

async function answer(job) {
  const bytes = readFileSync(job.file);
  const result = { name: job.name, ...(await validate(bytes)), worst: 0, where: '', compared: 0, wrong: [] };
  const gltf = await load(bytes);
  result.meshes = (gltf.parser.json.meshes ?? []).length;
  result.interpolations = [...new Set((gltf.parser.json.animations?.[0]?.samplers ?? [])
    .map((s) => s.interpolation))].sort();
  if (job.poses !== undefined) {
    const comparison = new Comparison();
    gltf.isMarked = job.models !== true;
    new Reader(gltf, JSON.parse(readFileSync(job.poses, 'utf8')), comparison).run();
    Object.assign(result, comparison);
  }
  return result;
}

for (const line of readFileSync(0, 'utf8').split('\n')) {
  if (line === '') continue;
  const job = JSON.parse(line);
  let result;
  try {
    result = await answer(job);
  } catch (error) {
    result = { name: job.name, failed: String(error.stack ?? error) };
  }
  console.log(JSON.stringify(result));
}
