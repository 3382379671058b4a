// Findings, near misses, and the rules behind them.

const FINDINGS_PER_PAGE = 50;

function placeOf(finding) {
  const parts = [];
  if (finding.asset !== null) {
    parts.push(assetLink(finding.asset));
    if (finding.offset !== null) {
      parts.push(`at ${hex(finding.offset, 4)}`);
    }
  } else {
    parts.push(h('span', {class: 'path'}, finding.source.path));
    if (finding.raw !== null) {
      parts.push(`at byte ${hex(finding.raw)}`);
    }
  }
  if (finding.frame !== null) {
    parts.push(`frame ${finding.frame}`);
  }
  return parts.map((part, i) => [i > 0 && ' · ', part]);
}

// The message without the title of the rule, which stands above it.
function withoutTitle(message, rule) {
  const title = rule === undefined ? '' : `${rule.title}: `;
  return title !== '' && message.startsWith(title) ? message.slice(title.length) : message;
}

// Most messages say what was found and expected; where one does not, that is told below.
function evidence(finding) {
  const missing = [['Found', finding.found], ['Expected', finding.expected]]
    .filter(([, text]) => text && !finding.message.includes(text));
  return missing.length > 0 && h('dl', {class: 'evidence'},
    missing.map(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]));
}

function findingItem(finding, hasPlace, onplace) {
  const rule = db.rules.get(finding.code);
  return h('li', {class: `finding ${finding.severity}`},
    h('p', {class: 'line'}, severityMark(finding.severity), ruleLink(finding.code),
      h('strong', {}, rule === undefined ? '' : rule.title),
      onplace && finding.offset !== null && h('button', {type: 'button', class: 'quiet',
        onclick: () => onplace(finding)}, `Show byte ${hex(finding.offset, 4)}`)),
    h('p', {}, withLinks(withoutTitle(finding.message, rule))), evidence(finding),
    hasPlace && h('p', {class: 'muted'}, placeOf(finding)));
}

function findingList(title, noun, intro, all, severity) {
  let page = 0;
  let found = all;
  const wanted = {severity: severity || '', code: '', text: ''};
  const list = h('ul', {class: 'findings'});
  const pages = [0, 1].map(() => pager(noun, (by) => {
    page = movedPage(page, by, FINDINGS_PER_PAGE, found.length);
    showPage();
  }));
  function showPage() {
    fill(list, found.slice(page * FINDINGS_PER_PAGE, (page + 1) * FINDINGS_PER_PAGE)
      .map((f) => findingItem(f, true)));
    pages.forEach((p) => p.show(page, FINDINGS_PER_PAGE, found.length));
  }
  function show() {
    const text = wanted.text.toLowerCase();
    found = all.filter((f) => (wanted.severity === '' || f.severity === wanted.severity) &&
      (wanted.code === '' || f.code === wanted.code) &&
      (text === '' || `${f.code} ${f.message}`.toLowerCase().includes(text)));
    page = 0;
    showPage();
  }
  const change = (key) => (value) => {
    wanted[key] = value;
    show();
  };
  const changeText = late(120, change('text'));
  const search = h('input', {type: 'search', oninput: () => changeText(search.value),
    placeholder: 'words of the message…'});
  const codes = [...new Set(all.map((f) => f.code))].sort();
  show();
  return h('div', {class: 'view'}, h('h1', {}, title), intro,
    h('form', {class: 'filters', onsubmit: (event) => event.preventDefault(), role: 'search'},
      field('Find', search),
      choice('Severity', [['', 'any'], ...SEVERITIES.map((s) => [s, s])], change('severity'),
        wanted.severity),
      choice('Rule', [['', 'any'], ...codes.map((c) => [c, c])], change('code'), '')),
    pages[0].bar, list, pages[1].bar);
}

function findingsView(severity) {
  return findingList('Findings', 'finding', db.end.findingsLeftOut > 0 && h('p', {class: 'notice'},
    `${plural(db.end.findingsLeftOut, 'finding')} beyond the limit of the page are not listed.`),
  db.findings, SEVERITIES.includes(severity) ? severity : '');
}

function missesView() {
  return findingList('Near misses', 'near miss', h('p', {class: 'intro'},
    'Places that begin as an asset and break one of its rules, the deepest of each source first: ' +
    'each says which rule, and how far it got. framehound why SOURCE@BYTE shows more of one.'),
  nearMisses());
}

// ---- rules ----

function ruleItem(rule, isOpen) {
  const number = db.byCode.get(rule.code) || 0;
  return h('details', {class: 'rule', id: `rule-${rule.code}`, open: isOpen},
    h('summary', {}, h('span', {class: 'code'}, rule.code), severityMark(rule.severity),
      h('span', {class: 'grow'}, rule.title),
      number > 0 && h('span', {class: 'muted'}, plural(number, 'finding'))),
    h('p', {}, rule.explanation),
    rule.mend && h('p', {}, h('strong', {}, 'What to do: '), rule.mend),
    rule.source && h('p', {class: 'muted'}, `Source: ${rule.source}`));
}

function rulesView(code) {
  const wanted = {text: '', only: code === undefined && db.byCode.size > 0 ? 'found' : 'all'};
  const list = h('div', {class: 'rules'});
  const status = h('p', {class: 'muted', role: 'status'});
  const all = [...db.rules.values()].sort(byText('code'));
  function show() {
    const text = wanted.text.toLowerCase();
    const found = all.filter((rule) => (wanted.only === 'all' || db.byCode.has(rule.code)) &&
      (text === '' || `${rule.code} ${rule.title} ${rule.explanation}`.toLowerCase()
        .includes(text)));
    status.textContent = plural(found.length, 'rule');
    fill(list, found.map((rule) => ruleItem(rule, rule.code === code)));
  }
  const changeText = late(120, (value) => {
    wanted.text = value;
    show();
  });
  const search = h('input', {type: 'search', oninput: () => changeText(search.value)});
  show();
  const view = h('div', {class: 'view'}, h('h1', {}, 'Rules'),
    h('form', {class: 'filters', onsubmit: (event) => event.preventDefault(), role: 'search'},
      field('Find', search),
      choice('Show', [['found', 'those with findings'], ['all', 'all']], (value) => {
        wanted.only = value;
        show();
      }, wanted.only)), status, list);
  if (code !== undefined) {
    setTimeout(() => {
      const open = document.getElementById(`rule-${code}`);
      if (open !== null) {
        open.scrollIntoView({block: 'center'});
        open.querySelector('summary').focus({preventScroll: true});
      }
    });
  }
  return view;
}
