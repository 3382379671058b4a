// The table of assets: sorted, filtered, a page of it at a time.

const ROWS_PER_PAGE = 100;

const byNumber = (key) => (a, b) => {
  const [x, y] = [a[key], b[key]];
  return x === y ? 0 : x === null ? 1 : y === null ? -1 : x - y;
};
const byText = (key) => (a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0);

const COLUMNS = [
  {key: 'id', title: '#', right: true, compare: byNumber('id'), cell: (a) => a.id},
  {key: 'name', title: 'Asset', compare: byText('name'), head: true, cell: assetLink},
  {key: 'format', title: 'Format', compare: byText('format'), cell: (a) => formatMark(a.format)},
  {key: 'grade', title: 'Grade', compare: (a, b) => GRADES.indexOf(a.grade) -
    GRADES.indexOf(b.grade), cell: (a) => a.grade},
  {key: 'raw', title: 'Byte', right: true, mono: true, compare: byNumber('raw'),
    cell: (a) => hex(a.raw)},
  {key: 'lba', title: 'LBA', right: true, compare: byNumber('lba'),
    cell: (a) => (a.lba === null ? '–' : a.lba)},
  {key: 'length', title: 'Length', right: true, compare: byNumber('length'),
    cell: (a) => count(a.length)},
  {key: 'frames', title: 'Frames', right: true, compare: byNumber('frames'),
    cell: (a) => count(a.frames)},
  {key: 'objects', title: 'Objects', right: true, compare: byNumber('objects'),
    cell: (a) => count(a.objects)},
  {key: 'findings', title: 'Findings', compare: (a, b) => a.error - b.error ||
    a.warning - b.warning || a.note - b.note, cell: findingMarks},
];

function findingMarks(asset) {
  const marks = SEVERITIES.filter((severity) => asset[severity] > 0).map((severity) =>
    h('span', {class: `mark ${severity}`, title: plural(asset[severity], severity)},
      plural(asset[severity], severity)));
  return marks.length > 0 ? marks : h('span', {class: 'muted'}, 'none');
}

const FINDING_CHOICES = [['', 'any'], ['error', 'with errors'], ['warning', 'with warnings'],
  ['note', 'with notes'], ['clean', 'without any']];

// What the user has asked for; it stays while other views are looked at.
const wish = {text: '', format: '', grade: '', findings: '', sort: 'order', down: false, page: 0};

function isWanted(asset, words) {
  return (wish.format === '' || asset.format === wish.format) &&
    (wish.grade === '' || asset.grade === wish.grade) &&
    (wish.findings === '' || (wish.findings === 'clean' ? asset.findings.length === 0
      : asset[wish.findings] > 0)) &&
    words.every((word) => haystack(asset).includes(word));
}

function wantedAssets() {
  const words = wish.text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const found = db.assets.filter((asset) => isWanted(asset, words));
  const column = COLUMNS.find(({key}) => key === wish.sort);
  if (column !== undefined) {
    const sign = wish.down ? -1 : 1;
    found.sort((a, b) => sign * column.compare(a, b) || a.order - b.order);
  }
  return found;
}

function assetRow(asset) {
  return h('tr', {class: worstOf(asset) === 'error' ? 'faulty' : null, 'data-id': asset.id},
    COLUMNS.map(({key, head, right, mono, cell}) => h(head ? 'th' : 'td',
      {scope: head ? 'row' : null,
        class: [`c-${key}`, right && 'right', mono && 'mono'].filter(Boolean).join(' ')},
      cell(asset))));
}

function assetsView() {
  let found = [];
  const body = h('tbody', {});
  const heads = COLUMNS.map(({key, title, right}) => {
    const button = h('button', {type: 'button', class: 'sort', onclick: () => sortBy(key)}, title);
    return h('th', {scope: 'col', class: `c-${key}${right ? ' right' : ''}`}, button);
  });
  const pages = [0, 1].map(() => pager('asset', (by) => {
    wish.page = movedPage(wish.page, by, ROWS_PER_PAGE, found.length);
    showPage();
  }));

  function showPage() {
    fill(body, found.slice(wish.page * ROWS_PER_PAGE, (wish.page + 1) * ROWS_PER_PAGE)
      .map(assetRow));
    pages.forEach((p) => p.show(wish.page, ROWS_PER_PAGE, found.length));
    COLUMNS.forEach(({key}, i) => heads[i].setAttribute('aria-sort',
      wish.sort !== key ? 'none' : wish.down ? 'descending' : 'ascending'));
  }
  function show() {
    found = wantedAssets();
    wish.page = movedPage(wish.page, 0, ROWS_PER_PAGE, found.length);
    showPage();
  }
  function sortBy(key) {
    [wish.down, wish.sort, wish.page] = [wish.sort === key && !wish.down, key, 0];
    show();
  }
  const change = (key) => (value) => {
    wish[key] = value;
    wish.page = 0;
    show();
  };
  const changeText = late(120, change('text'));
  const search = h('input', {type: 'search', value: wish.text, id: 'search',
    placeholder: 'name, address, hash, rule…', oninput: () => changeText(search.value)});
  const formats = [...new Set(db.assets.map((a) => a.format))].sort();
  show();
  return h('div', {class: 'view'}, h('h1', {}, 'Assets'),
    h('form', {class: 'filters', onsubmit: (event) => event.preventDefault(), role: 'search'},
      field('Find', search),
      choice('Format', [['', 'any'], ...formats.map((f) => [f, f])], change('format'), wish.format),
      choice('Grade', [['', 'any'], ...GRADES.map((g) => [g, g])], change('grade'), wish.grade),
      choice('Findings', FINDING_CHOICES, change('findings'), wish.findings)),
    db.end.assetsLeftOut > 0 && h('p', {class: 'notice'},
      `${plural(db.end.assetsLeftOut, 'asset')} beyond the limit of the page are not listed.`),
    pages[0].bar,
    scroller('Assets', h('table', {class: 'assets'}, h('thead', {}, h('tr', {}, heads)), body)),
    pages[1].bar);
}
