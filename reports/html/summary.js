// The first view: what there is, and where to look first.

function figure(name, value, severity, link) {
  const number = h('span', {class: `number ${value > 0 && severity ? severity : ''}`}, count(value));
  return h('div', {class: 'figure'},
    h('dt', {}, name), h('dd', {}, link && value > 0 ? h('a', {href: link}, number) : number));
}

function figures() {
  const of = (severity) => db.findings.filter((f) => f.severity === severity).length;
  const replayed = db.assets.filter((a) => a.grade === 'replayed').length;
  const frames = db.assets.reduce((sum, a) => sum + (a.frames || 0), 0);
  return h('dl', {class: 'figures'},
    figure('Assets', db.end.assets, null, '#/assets'),
    figure('Fully replayed', replayed, null, '#/assets'),
    figure('Frames', frames),
    figure('Errors', of('error'), 'error', '#/findings/error'),
    figure('Warnings', of('warning'), 'warning', '#/findings/warning'),
    figure('Notes', of('note'), null, '#/findings/note'),
    figure('Near misses', nearMisses().length, null, '#/misses'));
}

function perFormat() {
  const rows = new Map();
  for (const asset of db.assets) {
    const row = rows.get(asset.format) ||
      {assets: 0, replayed: 0, frames: 0, bytes: 0, error: 0, warning: 0, note: 0};
    row.assets += 1;
    row.replayed += asset.grade === 'replayed' ? 1 : 0;
    row.frames += asset.frames || 0;
    row.bytes += asset.length || 0;
    SEVERITIES.forEach((severity) => { row[severity] += asset[severity]; });
    rows.set(asset.format, row);
  }
  const numbers = ['assets', 'replayed', 'frames', 'bytes', 'error', 'warning', 'note'];
  const heads = ['Format', 'Assets', 'Replayed', 'Frames', 'Size', 'Errors', 'Warnings', 'Notes'];
  return h('section', {class: 'panel'}, h('h2', {}, 'By format'),
    rows.size === 0 ? h('p', {class: 'empty'}, 'No assets were found.') : scroller('By format',
      h('table', {class: 'plain'},
        h('thead', {}, h('tr', {}, heads.map((name, i) =>
          h('th', {scope: 'col', class: i > 0 ? 'right' : null}, name)))),
        h('tbody', {}, [...rows].sort().map(([format, row]) => h('tr', {},
          h('th', {scope: 'row'}, format),
          numbers.map((key) => h('td', {class: 'right'},
            key === 'bytes' ? size(row.bytes) : count(row[key])))))))));
}

// scroller is a part that may be wider than the page; it can be reached by keyboard.
function scroller(label, ...children) {
  return h('div', {class: 'scroller', tabindex: 0, role: 'region', 'aria-label': label}, children);
}

function commonest() {
  const rank = (code) => SEVERITIES.indexOf((db.rules.get(code) || {severity: 'note'}).severity);
  const codes = [...db.byCode].filter(([code]) => rank(code) < 2)
    .sort((a, b) => rank(a[0]) - rank(b[0]) || b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 8);
  return h('section', {class: 'panel'}, h('h2', {}, 'What is wrong most often'),
    codes.length === 0 ? h('p', {class: 'empty'}, 'No error and no warning was found.')
      : h('ul', {class: 'ranking'}, codes.map(([code, number]) => {
        const rule = db.rules.get(code);
        return h('li', {}, severityMark(rule.severity), ruleLink(code),
          h('span', {class: 'grow'}, rule.title), h('span', {class: 'number'}, count(number)));
      })));
}

const SOURCES_SHOWN = 200;

function sourcesPanel() {
  const rows = db.sources.slice(0, SOURCES_SHOWN);
  return h('section', {class: 'panel'}, h('h2', {}, 'Sources'),
    scroller('Sources', h('table', {class: 'plain'},
      h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Path'), h('th', {scope: 'col'}, 'Kind'),
        h('th', {scope: 'col'}, 'Sectors'), h('th', {scope: 'col'}, 'Read'),
        h('th', {scope: 'col', class: 'right'}, 'Size'),
        h('th', {scope: 'col', class: 'right'}, 'Assets'),
        h('th', {scope: 'col'}, 'SHA-256'))),
      h('tbody', {}, rows.map((source) => h('tr', {},
        h('th', {scope: 'row', class: 'path'}, source.path), h('td', {}, source.kind || '–'),
        h('td', {}, source.layout || '–'),
        h('td', {}, source.status === 'complete' ? 'complete'
          : h('span', {class: 'mark warning'}, source.status)),
        h('td', {class: 'right'}, size(source.size)),
        h('td', {class: 'right'}, count(source.assets.length)),
        h('td', {class: 'mono'}, source.sha256 === null ? '–' : source.sha256)))))),
    db.sources.length > SOURCES_SHOWN && h('p', {class: 'notice'},
      `The first ${SOURCES_SHOWN} of ${plural(db.sources.length, 'source')} are listed.`));
}

function leftOut() {
  const {assetsLeftOut, findingsLeftOut, runsLeftOut} = db.end;
  const parts = [[assetsLeftOut, 'asset'], [findingsLeftOut, 'finding'],
    [runsLeftOut, 'run of sectors']].filter(([number]) => number > 0);
  return parts.length > 0 && h('p', {class: 'notice'},
    'This page is not the whole report: it leaves out ',
    parts.map(([number, noun]) => plural(number, noun)).join(', '),
    ' beyond its limits. The counts above are those of what is listed; framehound report in ' +
    'another form has everything.');
}

function unfinished() {
  return db.scans.some((scan) => scan.status !== 'complete') && h('p', {class: 'notice'},
    'A scan of this database did not come to its end: what it has not searched is missing here. ' +
    'framehound scan --resume with its sources goes on with it.');
}

function subject() {
  return db.sources.length === 1 ? baseName(db.sources[0].path)
    : plural(db.sources.length, 'source');
}

function overviewView() {
  return h('div', {class: 'view'}, h('h1', {}, subject()), figures(), unfinished(), leftOut(),
    discPanel(), h('div', {class: 'columns'}, perFormat(), commonest()), sourcesPanel());
}
