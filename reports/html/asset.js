// One asset: where it is, how it moves, what is wrong with it, and its bytes.

function fact(name, value, isMono) {
  return value !== null && value !== false && value !== undefined && value !== '' &&
    [h('dt', {}, name), h('dd', {class: isMono ? 'mono' : null}, value)];
}

function addresses(asset) {
  const {source} = asset;
  return h('section', {class: 'panel'}, h('h2', {}, 'Where it is'), h('dl', {class: 'facts'},
    fact('Source', source.path), fact('File on the disc', asset.iso === null ? null
      : `${asset.iso}${asset.isoOffset ? ` + ${hex(asset.isoOffset, 1)}` : ''}`),
    fact('Byte of the source', asset.raw === null ? null : `${hex(asset.raw)} (${count(asset.raw)})`),
    fact('Byte of its user data', asset.user === null ? null
      : `${hex(asset.user)} (${count(asset.user)})`),
    fact('Sector', asset.lba === null ? null : `LBA ${asset.lba}, ${msf(asset.lba)}`),
    fact('Address in memory', asset.ram === null ? null : hex(asset.ram)),
    fact('Length', asset.length === null ? null : plural(asset.length, 'byte')),
    asset.pieces.length > 0 && fact('Pieces', asset.pieces.slice(0, 20).map(([, raw, length]) =>
      h('div', {}, `${plural(length, 'byte')} from ${hex(raw)}`)).concat(
      asset.pieces.length > 20 ? [h('div', {}, `and ${asset.pieces.length - 20} more`)] : []))));
}

function identity(asset) {
  const same = asset.sha256 === null ? [] : db.assets.filter((a) => a !== asset &&
    a.sha256 === asset.sha256);
  const alike = asset.poseSha256 === null ? [] : db.assets.filter((a) => a !== asset &&
    a.poseSha256 === asset.poseSha256 && a.sha256 !== asset.sha256);
  const links = (list) => list.length > 0 && [list.slice(0, 5).map((a, i) => [i > 0 && ', ',
    assetLink(a)]), list.length > 5 && ` and ${list.length - 5} more`];
  return h('section', {class: 'panel'}, h('h2', {}, 'What it is'), h('dl', {class: 'facts'},
    fact('Format', asset.format), fact('Grade', asset.grade), fact('Frames', count(asset.frames)),
    fact('Objects', count(asset.objects)), fact('Evidence', asset.bits === null ? null
      : plural(asset.bits, 'bit')),
    fact('Replay', asset.replay === null ? 'not replayed' : asset.replay.status),
    fact('SHA-256', asset.sha256, true), fact('SHA-256 of its poses', asset.poseSha256, true),
    fact('Same bytes', links(same)), fact('Same motion', links(alike))));
}

// assetFindings are those of an asset, a page of them at a time: there may be a hundred thousand.
function assetFindings(asset, onplace) {
  const all = asset.findings;
  let page = 0;
  const list = h('ul', {class: 'findings'});
  const pages = pager('finding', (by) => {
    page = movedPage(page, by, FINDINGS_PER_PAGE, all.length);
    show();
  });
  function show() {
    fill(list, all.slice(page * FINDINGS_PER_PAGE, (page + 1) * FINDINGS_PER_PAGE)
      .map((f) => findingItem(f, false, onplace)));
    pages.show(page, FINDINGS_PER_PAGE, all.length);
  }
  show();
  return h('section', {class: 'panel'}, h('h2', {}, `Findings (${count(all.length)})`),
    all.length === 0 ? h('p', {class: 'empty'}, 'Nothing was found wrong with it.')
      : [list, all.length > FINDINGS_PER_PAGE && pages.bar]);
}

// noPlayer says why there is nothing to play.
function noPlayer(reason) {
  return h('section', {class: 'panel player'}, h('h2', {}, 'Motion'),
    h('p', {class: 'notice'}, `The motion cannot be shown: ${reason}.`));
}

function motionPart(asset, detail) {
  if (detail.why_not !== undefined) {
    return noPlayer(detail.why_not);
  }
  if (detail.play === null || detail.play.frames.length === 0) {
    return noPlayer((detail.play && detail.play.why) ||
      (detail.play && detail.play.total > 0 ? 'a single frame is more than this page holds'
        : 'it has no frame'));
  }
  return playerPanel(asset, detail.play, detail.scene);
}

function bytesPart(asset, detail) {
  if (detail.why_not === undefined) {
    return hexPanel(asset, detail);
  }
  return {made: h('section', {class: 'panel', id: 'bytes'}, h('h2', {}, 'Bytes and fields'),
    h('p', {class: 'notice'}, `The bytes cannot be shown: ${detail.why_not}.`)), show: null};
}

function neighbours(asset) {
  const list = wantedAssets();
  const at = list.indexOf(asset);
  const link = (to, text) => (to === undefined ? h('span', {class: 'muted'}, text)
    : h('a', {href: `#/asset/${to.id}`}, text));
  return h('nav', {class: 'neighbours', 'aria-label': 'Other assets'},
    h('a', {href: '#/assets'}, 'All assets'),
    at >= 0 && [link(list[at - 1], 'Previous'), link(list[at + 1], 'Next'),
      h('span', {class: 'muted'}, `${count(at + 1)} of ${count(list.length)}`)]);
}

function assetView(id) {
  const asset = db.byId.get(Number(id));
  if (asset === undefined) {
    return h('div', {class: 'view'}, h('h1', {}, 'No such asset'),
      h('p', {}, 'The report lists none of this number. ', h('a', {href: '#/assets'}, 'All assets')));
  }
  const main = h('div', {class: 'main-column'},
    h('p', {class: 'waiting', role: 'status'}, 'Reading…'));
  const below = h('div', {});
  detailOf(asset).then((detail) => {
    const bytes = bytesPart(asset, detail);
    fill(below, bytes.made);
    fill(main, motionPart(asset, detail),
      assetFindings(asset, bytes.show === null ? null : (f) => bytes.show(f.offset)));
  });
  return h('div', {class: 'view asset'}, neighbours(asset),
    h('h1', {class: 'asset-name'}, asset.name),
    h('p', {class: 'intro'}, formatMark(asset.format), ` Asset ${asset.id} · ${asset.grade} · `,
      asset.findings.length > 0 ? findingMarks(asset) : 'no findings'),
    h('div', {class: 'asset-columns'},
      main, h('div', {class: 'side-column'}, addresses(asset), identity(asset))),
    below);
}
