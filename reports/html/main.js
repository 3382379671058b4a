// Which view is shown follows the address behind #, so that back, forward and links work.

const VIEWS = [
  {name: '', title: 'Overview', make: overviewView},
  {name: 'assets', title: 'Assets', make: assetsView, count: () => db.end.assets},
  {name: 'findings', title: 'Findings', make: findingsView, count: () => db.end.findings},
  {name: 'misses', title: 'Near misses', make: missesView, count: () => nearMisses().length},
  {name: 'rules', title: 'Rules', make: rulesView},
  {name: 'asset', make: assetView, within: 'assets'},
];

function addressed() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, '').split('/');
  let value;
  try {
    value = rest.length > 0 ? decodeURIComponent(rest.join('/')) : undefined;
  } catch (error) {
    value = undefined;
  }
  return {view: VIEWS.find((view) => view.name === name) || VIEWS[0], value};
}

function show(isFirst) {
  const {view, value} = addressed();
  const main = document.getElementById('main');
  fill(main, view.make(value));
  document.querySelectorAll('#nav a').forEach((link) => {
    const isCurrent = link.getAttribute('href') === `#/${view.within || view.name}`;
    link.toggleAttribute('aria-current', isCurrent);
    if (isCurrent) {
      link.setAttribute('aria-current', view.within ? 'true' : 'page');
    }
  });
  const heading = main.querySelector('h1');
  document.title = `${heading.textContent} – framehound report`;
  if (!isFirst) {
    window.scrollTo(0, 0);
    main.focus({preventScroll: true});
  }
}

function navigation() {
  fill(document.getElementById('nav'), VIEWS.filter((view) => view.title).map((view) =>
    h('a', {href: `#/${view.name}`}, view.title,
      view.count && [' ', h('span', {class: 'count'}, count(view.count()))])));
}

function footer() {
  const {version, ruleset, command} = db.report;
  const scans = db.scans.map((scan) => h('li', {}, `Scan of ${scan.started || '?'} to ` +
    `${scan.finished || '?'}, framehound ${scan.version}, ${scan.status}` +
    `${scan.options ? `: ${scan.options}` : ''}`));
  fill(document.getElementById('about'), h('p', {}, `Made by framehound ${command} ${version}, ` +
    `rule set ${ruleset}. This file needs nothing from the network.`), h('ul', {}, scans));
}

const THEMES = ['auto', 'light', 'dark'];

function theme(name) {
  const button = document.getElementById('theme');
  const now = THEMES.includes(name) ? name : 'auto';
  if (now === 'auto') {
    document.documentElement.removeAttribute('data-theme');
  } else {
    document.documentElement.setAttribute('data-theme', now);
  }
  button.textContent = `Colours: ${now}`;
  button.onclick = () => {
    theme(remembered('framehound-theme', THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]) ||
      THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
    redrawAll();
  };
}

async function start() {
  theme(remembered('framehound-theme'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawAll);
  await readRecords();
  if (db.end === null) {
    fill(document.getElementById('main'), h('p', {class: 'notice'},
      'This report is not whole: its end is missing. Make it again.'));
    return;
  }
  document.getElementById('subject').textContent = subject();
  navigation();
  footer();
  show(true);
  window.addEventListener('hashchange', () => show(false));
  document.documentElement.setAttribute('data-ready', '');
}

start();
