// The records of the page, put together. They come in pieces, which are read a few at a time, so
// that the page answers meanwhile; the detail of an asset is read when it is looked at.

const SEVERITIES = ['error', 'warning', 'note'];
const GRADES = ['candidate', 'structure', 'references', 'replayed'];
const NEAR_MISSES = ['RUN0006', 'IMG0072', 'IMG0062'];
const SLICE_MS = 12;

const db = {
  report: null, scans: [], sources: [], assets: [], findings: [], rules: new Map(),
  byId: new Map(), byCode: new Map(), end: null,
};

const takers = {
  report: ([command, version, ruleset]) => {
    db.report = {command, version, ruleset};
  },
  scan: ([version, ruleset, options, started, finished, status]) => {
    db.scans.push({version, ruleset, options: safe(options), started, finished, status});
  },
  rule: ([code, format, severity, title, explanation, source, mend]) => {
    db.rules.set(code, {code: safe(code), format, severity, title: safe(title),
      explanation: safe(explanation), source: safe(source), mend: safe(mend)});
  },
  source: ([id, path, kind, layout, bytes, sha256, status, why]) => {
    db.sources.push({id, path: safe(path), kind: safe(kind), layout: safe(layout), size: bytes,
      sha256, status: safe(status), why: safe(why), runs: [], assets: [], findings: []});
  },
  run: ([claim, raw, length, lba, sectors, runs]) => {
    lastSource().runs.push({claim: safe(claim), raw, length, lba, sectors, runs});
  },
  asset: ([id, format, grade, raw, user, length, lba, iso, isoOffset, ram, bits, frames, objects,
    sha256, poseSha256, replay, pieces]) => {
    const source = lastSource();
    const made = {id, source, format: safe(format), grade: safe(grade), raw, user, length, lba,
      iso: safe(iso), isoOffset, ram, bits, frames, objects, sha256, poseSha256,
      replay: replay === null ? null : {evaluator: safe(replay[0]), frames: replay[1],
        ticks: replay[2], status: safe(replay[3])},
      pieces: pieces || [], findings: [], error: 0, warning: 0, note: 0, order: db.assets.length};
    made.frames = frames === null && replay !== null ? replay[1] : frames;
    made.name = nameOf(made);
    source.assets.push(made);
    db.assets.push(made);
    db.byId.set(id, made);
  },
  finding: ([id, asset, code, severity, raw, offset, frame, object, name, found, expected,
    message]) => {
    const listed = asset === null ? null : db.byId.get(asset) || null;
    const made = {id, source: lastSource(), asset: listed, unlisted: listed === null ? asset : null,
      code: safe(code), severity, raw, offset, frame, object, field: safe(name),
      found: safe(found), expected: safe(expected), message: safe(message)};
    db.findings.push(made);
    db.byCode.set(made.code, (db.byCode.get(made.code) || 0) + 1);
    if (made.asset !== null) {
      made.asset.findings.push(made);
      made.asset[severity] += 1;
    } else if (made.unlisted === null) {
      made.source.findings.push(made);
    }
  },
  end: ([assets, findings, assetsLeftOut, findingsLeftOut, runsLeftOut, details, isFull]) => {
    db.end = {assets, findings, assetsLeftOut, findingsLeftOut, runsLeftOut, details,
      isFull: isFull === 1};
  },
};

function lastSource() {
  return db.sources[db.sources.length - 1];
}

function baseName(path) {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.length > 0 ? parts[parts.length - 1] : path;
}

function nameOf(asset) {
  const where = asset.iso !== null ? asset.iso : baseName(asset.source.path);
  const offset = asset.iso !== null ? asset.isoOffset : asset.raw;
  const isWhole = asset.iso === null && offset === 0 && asset.length === asset.source.size;
  return isWhole || offset === null || (asset.iso !== null && offset === 0) ? where
    : `${where} + ${hex(offset, 1)}`;
}

// What a user may look for, in lower case; made when it is first asked for.
function haystack(asset) {
  if (asset.haystack === undefined) {
    asset.haystack = [`#${asset.id}`, asset.name, asset.source.path, asset.format, asset.grade,
      hex(asset.raw), asset.lba === null ? '' : `lba ${asset.lba}`, asset.sha256 || '',
      asset.poseSha256 || '', ...new Set(asset.findings.map((f) => f.code))].join(' ').toLowerCase();
  }
  return asset.haystack;
}

function worstOf(asset) {
  return SEVERITIES.find((severity) => asset[severity] > 0) || null;
}

function nearMisses() {
  return db.findings.filter((f) => NEAR_MISSES.includes(f.code));
}

function pause() {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(0);
  });
}

async function readRecords() {
  let started = performance.now();
  for (const piece of document.querySelectorAll('script.records')) {
    for (const [kind, ...values] of JSON.parse(piece.textContent)) {
      takers[kind](values);
    }
    piece.remove();
    if (performance.now() - started > SLICE_MS) {
      await pause();
      started = performance.now();
    }
  }
}

// ---- details ----

const DETAILS_KEPT = 4;
const details = new Map();

function fromBase64(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) {
    bytes[i] = text.charCodeAt(i);
  }
  return bytes;
}

async function unpacked(base64) {
  const packed = new Blob([fromBase64(base64)]).stream();
  const stream = packed.pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

async function readDetail(asset) {
  const element = document.getElementById(`detail-${asset.id}`);
  if (element === null) {
    return {why_not: whyNoDetail()};
  }
  return typeof DecompressionStream === 'undefined'
    ? {why_not: 'this browser cannot unpack it; one of 2023 or later can'}
    : unpacked(element.textContent);
}

// detailOf promises what is known of an asset beyond its records; why_not says why it is nothing.
async function detailOf(asset) {
  if (!details.has(asset.id)) {
    details.set(asset.id, await readDetail(asset));
    for (const id of details.keys()) {
      if (details.size > DETAILS_KEPT && id !== asset.id) {
        details.delete(id);
      }
    }
  }
  return details.get(asset.id);
}

function whyNoDetail() {
  if (db.report.command !== 'report') {
    return `this page was made by framehound ${db.report.command}; record a scan and make it by ` +
      'framehound report';
  }
  return db.end.isFull ? `the page is full: ${plural(db.end.details, 'asset')} came before`
    : 'the page was made without reading the sources again (--no-detail)';
}
