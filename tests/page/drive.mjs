// Drives pages of the HTML report in headless Chromium and says what it sees, a line of JSON for each
// check. Usage: drive.mjs PLAN.json, which page.py writes.

import {readFileSync, mkdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const plan = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const require = createRequire(join(plan.modules, 'package.json'));
const {chromium} = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const DESK = {width: 1280, height: 900};
const PHONE = {width: 390, height: 844};
const VIEWS = ['#/', '#/assets', '#/findings', '#/misses', '#/rules/TOD0061'];

function tell(ok, name, ...seen) {
  console.log(JSON.stringify({ok: Boolean(ok), name, seen: seen.map((s) =>
    (typeof s === 'string' ? s : JSON.stringify(s)))}));
}

function same(seen, expected, name) {
  tell(JSON.stringify(seen) === JSON.stringify(expected), name, {seen}, {expected});
}

const browser = await chromium.launch({executablePath: plan.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']});

// open loads a page and remembers every complaint of the browser and every request.
async function open(path, options = {}) {
  const context = await browser.newContext({viewport: DESK, ...options});
  const page = await context.newPage();
  const troubles = [];
  const requests = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      troubles.push(message.text());
    }
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  const url = pathToFileURL(path).href;
  await page.goto(url);
  await page.waitForSelector('html[data-ready]', {timeout: 60000});
  return {page, troubles, requests, url, close: () => context.close()};
}

async function go(page, hash) {
  await page.evaluate((to) => { location.hash = to; }, hash);
  await page.waitForFunction((to) => location.hash === to && !document.querySelector('.waiting'),
    hash);
  await page.waitForTimeout(30);
}

async function picture(page, name, fullPage = false) {
  if (plan.pictures) {
    mkdirSync(plan.pictures, {recursive: true});
    await page.screenshot({path: join(plan.pictures, `${name}.png`), fullPage});
  }
}

async function shownRows(page) {
  return page.$$eval('.assets tbody tr', (rows) => rows.map((row) => Number(row.dataset.id)));
}

async function shownCount(page) {
  const text = await page.textContent('.pager [role=status]');
  return Number(text.replace(/,/g, '').match(/of (\d+)/)?.[1] || 0);
}

// ---- the table ----

async function checkTable(page) {
  await go(page, '#/assets');
  same(await shownCount(page), plan.assets, 'the table has every asset of the database');
  for (const [format, number] of Object.entries(plan.formats)) {
    await page.selectOption('.filters select >> nth=0', format);
    same(await shownCount(page), number, `filtered by format ${format}`);
  }
  await page.selectOption('.filters select >> nth=0', '');
  await page.selectOption('.filters select >> nth=2', 'warning');
  same(await shownCount(page), plan.withWarnings, 'filtered by findings');
  await page.selectOption('.filters select >> nth=2', '');
  await page.fill('#search', plan.search.text);
  await page.waitForTimeout(250);
  same(await shownRows(page), plan.search.ids, `searched for ${plan.search.text}`);
  await page.fill('#search', '');
  await page.waitForTimeout(250);
  const sort = page.locator('.assets th.c-length button');
  await sort.focus();
  await page.keyboard.press('Enter');
  same((await shownRows(page))[0], plan.shortest, 'sorted by length, by keyboard');
  await page.keyboard.press('Enter');
  same((await shownRows(page))[0], plan.longest, 'and the other way round');
  same(await page.getAttribute('.assets th.c-length', 'aria-sort'), 'descending',
    'a reader of the screen is told');
  await page.locator('.assets th.c-id button').click();
  await page.locator('.pager button', {hasText: 'Next'}).first().click();
  same((await shownRows(page))[0], plan.second_page, 'the second page of it');
}

// ---- one asset ----

function rowsOf(text) {
  const tables = {};
  let rows = null;
  let columns = null;
  for (const line of text.split('\n').filter((l) => l !== '')) {
    if (!line.startsWith(' ')) {
      rows = tables[line] = [];
      columns = null;
    } else if (columns === null) {
      columns = line.trim().split(/\s+/);
    } else {
      const cells = line.trim().split(/\s+/);
      rows.push(Object.fromEntries(columns.map((c, i) => [c, cells[i] === '-' ? null
        : Number(cells[i])])));
    }
  }
  return tables;
}

async function scrub(page, frame) {
  await page.$eval('#scrub', (range, to) => {
    range.value = to;
    range.dispatchEvent(new Event('input', {bubbles: true}));
  }, frame);
}

async function frameShown(page) {
  return Number((await page.textContent('#frame')).match(/Frame (\d+)/)[1]) - 1;
}

async function checkPoses(page, asset) {
  await go(page, `#/asset/${asset.id}`);
  for (const [frame, expected] of Object.entries(asset.frames)) {
    await scrub(page, Number(frame));
    same(rowsOf(await page.textContent('#pose')), expected,
      `${asset.format} ${asset.id}: the pose of frame ${frame} is that of framehound replay`);
  }
}

async function ink(page, selector) {
  return page.$eval(selector, (canvas) => canvas.toDataURL());
}

async function checkPlayer(page, asset) {
  await go(page, '#/assets');
  await page.fill('#search', `#${asset.id}`);
  await page.waitForTimeout(250);
  await page.locator(`tr[data-id="${asset.id}"] a`).first().click();
  await page.waitForSelector('.player canvas');
  same(await page.textContent('h1'), asset.name, 'a click opens the asset');
  const before = await ink(page, '.stage');
  await page.click('#play');
  await page.waitForFunction(() => /Frame ([3-9]|\d\d)/.test(
    document.getElementById('frame').textContent));
  tell(await ink(page, '.stage') !== before, 'it plays: other frames, another picture');
  await page.click('#play');
  const paused = await frameShown(page);
  await page.waitForTimeout(200);
  same(await frameShown(page), paused, 'it pauses');
  await page.click('#on');
  same(await frameShown(page), Math.min(paused + 1, asset.num - 1), 'a step on');
  await page.click('#back');
  await page.click('#back');
  same(await frameShown(page), Math.min(paused + 1, asset.num - 1) - 2, 'two steps back');
  await scrub(page, asset.num - 2);
  await page.click('#play');
  await page.waitForFunction(() => /Frame [1-5] of/.test(
    document.getElementById('frame').textContent));
  tell(true, 'it begins again behind the last frame');
  await page.click('#play');
  await scrub(page, 3);
  const still = await ink(page, '.stage');
  await page.focus('.stage');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('+');
  tell(await ink(page, '.stage') !== still, 'it is turned and made larger by keyboard');
  await page.keyboard.press('.');
  same(await frameShown(page), 4, 'and stepped through');
  await page.locator('button', {hasText: 'Reset the view'}).click();
  await scrub(page, 3);
  await page.evaluate(() => document.activeElement.blur());
  same(await ink(page, '.stage') === still, true, 'the view is as it was at first');
  await page.uncheck('text=Loop');
  await scrub(page, asset.num - 3);
  await page.click('#play');
  await page.waitForSelector('#play[aria-label=Play]');
  same(await frameShown(page), asset.num - 1, 'without the loop it ends with the last frame');
}

async function checkBytes(page, asset) {
  await go(page, `#/asset/${asset.id}`);
  await page.focus('.hex [data-at="0"]');
  for (const [key, at] of [['ArrowRight', 1], ['ArrowDown', 17], ['ArrowLeft', 16]]) {
    await page.keyboard.press(key);
    same(Number(await page.evaluate(() => document.activeElement.dataset.at)), at,
      `${key} leads to byte ${at}`);
  }
  for (const {at, byte, name, value, rules, around, title} of asset.fields) {
    await page.hover(`.hex [data-at="${at}"]`);
    const told = await page.textContent('#byte-panel');
    const label = await page.textContent('#byte-panel h3');
    const facts = await page.$$eval('#byte-panel dd', (all) => all.map((dd) => dd.textContent));
    same([label, value === null ? null : facts[0],
      (await page.textContent(`.hex [data-at="${at}"]`))], [name, value, byte],
    `byte ${at} is ${name}`);
    same(await page.$$eval('#byte-panel > .rules-here .code', (all) =>
      all.map((a) => a.textContent)), rules, 'under these rules');
    tell(told.includes(title) && told.includes(around || ''), 'with their titles, and those of ' +
      'what it lies in', told);
    tell(told.includes(`Byte 0x${at.toString(16).padStart(4, '0')}`), `and is called ${at}`, told);
  }
}

// A rule of a field leads to its text.
async function checkRule(page, asset) {
  await page.hover(`.hex [data-at="${asset.fields[0].at}"]`);
  await page.locator('#byte-panel .rules-here .code').first().click();
  await page.waitForSelector(`#rule-${asset.fields[0].rules[0]}[open]`);
  tell(true, 'a rule of a field leads to its text');
}

async function checkFault(page, fault) {
  await go(page, `#/asset/${fault.id}`);
  same(await page.$$eval('.finding .code', (all) => all.map((a) => a.textContent)), fault.codes,
    'its findings are told');
  await page.locator('.finding button', {hasText: 'Show byte'}).first().click();
  same(Number(await page.evaluate(() => document.activeElement.dataset.at)), fault.at,
    'a finding leads to its byte');
  tell((await page.textContent('#byte-panel')).includes(fault.codes[0]), 'where its rule is told');
  await page.locator('#byte-panel .code').first().click();
  await page.waitForSelector(`#rule-${fault.codes[0]}[open]`);
  tell(true, 'from where a link leads to the text of the rule');
}

// ---- what models look like ----

// Morphing and the map of texels, worked out by the page's own part for it.
async function checkModel(page, source) {
  const scene = {images: [], weights: [[191, 0], [192, 0.5]], vertices: [[293, 7, 297]],
    triangles: [[0x102030, 4, 1, 2, 3, 4, 0, 0, 0, -1, 5, 6, 7, 0, 0, 0, 0.5, 0, 0, 1]],
    deltas: [[191, 293, 10, -10, 0], [192, 293, -5, 5, 5], [192, 297, 0, 0, 40]]};
  const play = {tables: [['coordinate', []], ['word', []], ['morphed_word', []]]};
  const frames = [[[], [], []], [[], [[191, 0x12341000], [3, 9]], []],
    [[], [[191, 4096], [192, 4096]], [[192, 0xf000]]]];
  const seen = await page.evaluate(`(() => {
    ${readFileSync(source, 'utf8')}
    const scene = ${JSON.stringify(scene)};
    const moved = ${JSON.stringify(frames)}.map((rows) => movedOf(scene, ${JSON.stringify(play)}, {rows}));
    const [triangle] = trianglesOf(scene);
    const places = new Map([[4, {origin: [100, 0, 0], axes: [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]}]]);
    const map = texelMap({width: 16, height: 4}, triangle.uv, [[10, 20], [30, 20], [10, 60]]);
    const there = triangle.uv.map(([u, v]) => map.transformPoint({x: 16 * u, y: 4 * v}));
    return {moved: moved.map((all) => [...all]), still: cornersOf(triangle, places, new Map()),
      corners: cornersOf(triangle, places, moved[0]), lost: cornersOf(triangle, new Map(), moved[0]),
      there: there.map(({x, y}) => [x, y]), flat: texelMap({width: 16, height: 4},
        [[0, 0], [1, 0], [0.5, 0]], [[0, 0], [1, 1], [2, 0]]),
      texel: [...texelAt({width: 2, height: 2, texels: new Uint8ClampedArray([...Array(16).keys()])},
        [1, 0.5])]};
  })()`);
  same(seen.moved, [[[293, [-2.5, 2.5, 2.5]], [297, [0, 0, 20]]],
    [[293, [7.5, -7.5, 2.5]], [297, [0, 0, 20]]], [[293, [15, -15, -5]], [297, [0, 0, -40]]]],
  'vertices are moved by the weights of a frame, those of morphing last');
  same([seen.still, seen.corners, seen.lost], [[[98, 1, 3], [100, 0, 0], [5, 6, 7]],
    [[95.5, -1.5, 5.5], [100, 0, 0], [5, 6, 27]], []],
  'and then by their nodes; what has none is not drawn');
  same([seen.there, seen.flat, seen.texel], [[[10, 20], [30, 20], [10, 60]], null, [12, 13, 14, 15]],
    'texels come to lie where the corners are');
}

async function coloursOf(page) {
  return page.$eval('.stage', (canvas) => {
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const ink = copy.getContext('2d', {willReadFrequently: true});
    ink.drawImage(canvas, 0, 0);
    const {data} = ink.getImageData(0, 0, copy.width, copy.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
}

async function checkTextures(page, id) {
  await go(page, `#/asset/${id}`);
  await page.uncheck('text=Names');
  const textured = await coloursOf(page);
  await picture(page, 'textures');
  await page.uncheck('text=Model');
  const bare = await coloursOf(page);
  tell(textured >= bare + 8, 'a model is drawn with its texels', {textured, bare});
}

// ---- the map ----

async function checkMap(page) {
  await go(page, '#/');
  await page.waitForTimeout(100);
  await page.focus('.disc');
  for (let i = 0; i < plan.map.presses; i += 1) {
    await page.keyboard.press('ArrowRight');
  }
  const readout = await page.textContent('#disc-readout');
  tell(plan.map.words.every((word) => readout.includes(word)),
    'the map tells what a sector holds', readout, plan.map.words);
  const before = await ink(page, '.disc');
  await page.keyboard.press('+');
  tell(await ink(page, '.disc') !== before, 'and comes nearer');
  const red = await page.$eval('.disc', (canvas) => {
    const colour = getComputedStyle(canvas).getPropertyValue('--claim-bad').trim();
    const probe = document.createElement('canvas').getContext('2d');
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
    const all = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    let number = 0;
    for (let i = 0; i < all.length; i += 4) {
      number += all[i] === r && all[i + 1] === g && all[i + 2] === b ? 1 : 0;
    }
    return number;
  });
  tell(red > 0, 'bad sectors are red', {red});
  await page.keyboard.press('-');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.startsWith('#/asset/'));
  same(await page.evaluate(() => location.hash), `#/asset/${plan.map.asset}`,
    'Enter opens the asset there');
}

// ---- everywhere ----

async function checkAxe(page, name) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document,
    {resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa',
      'best-practice']}));
  const serious = found.violations.filter((v) => ['serious', 'critical'].includes(v.impact))
    .map((v) => `${v.id} (${v.nodes.length}): ${v.nodes.slice(0, 2).map((n) => n.html.slice(0, 160) +
      (n.any[0] ? ` ${n.any[0].message}` : '')).join(' | ')}`);
  same(serious, [], `axe finds nothing serious: ${name}`);
}

async function checkLooks(report) {
  const views = [...VIEWS, ...plan.looked.map((id) => `#/asset/${id}`)];
  const few = ['#/', '#/assets', `#/asset/${plan.looked[0]}`]; // what differs is the style alone
  for (const [name, options] of [['light', {colorScheme: 'light'}], ['dark', {colorScheme: 'dark'}],
    ['phone', {colorScheme: 'light', viewport: PHONE}]]) {
    const {page, troubles, close} = await open(report, options);
    for (const view of views) {
      await go(page, view);
      await page.waitForTimeout(60);
      if (name === 'light' || few.includes(view)) {
        await checkAxe(page, `${name} ${view}`);
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth -
        window.innerWidth);
      tell(wide <= 0, `nothing is wider than the page: ${name} ${view}`, {wide});
      await picture(page, `${name}-${view.replace(/\W+/g, '-')}`, true);
    }
    same(troubles, [], `no complaint of the browser: ${name}`);
    await close();
  }
}

async function checkTheme(page) {
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({colorScheme: 'light'});
  const light = await colour();
  await page.emulateMedia({colorScheme: 'dark'});
  const dark = await colour();
  tell(light !== dark, 'colours follow the system', light, dark);
  await page.click('#theme');
  same(await colour(), light, 'the switch makes it light');
  await page.click('#theme');
  await page.emulateMedia({colorScheme: 'light'});
  same(await colour(), dark, 'and dark');
  await page.click('#theme');
  same(await colour(), light, 'and as the system is');
}

async function checkHostile(page, troubles, requests, url) {
  await go(page, '#/');
  tell((await page.textContent('h1')).includes(plan.hostile.name), 'a hostile name is text',
    await page.textContent('h1'));
  await go(page, `#/asset/${plan.hostile.asset}`);
  tell((await page.textContent('.names')).includes(plan.hostile.bone),
    'a hostile bone name is text', await page.textContent('.names'));
  same(await page.evaluate(() => [typeof window.hacked, document.images.length,
    document.querySelectorAll('main script, main iframe, main object, main b').length]),
  ['undefined', 0, 0], 'and nothing of them runs, or is an element');
  same([...new Set(requests)], [url], 'nothing but the file was asked for');
  same(troubles, [], 'the browser has no complaint');
  const refused = await page.evaluate(() => new Promise((resolve) => {
    const script = document.createElement('script');
    script.textContent = 'window.hacked = 1';
    document.addEventListener('securitypolicyviolation', () => resolve('refused'), {once: true});
    document.body.append(script);
    setTimeout(() => resolve(window.hacked === undefined ? 'silent' : 'ran'), 500);
  }));
  same(refused, 'refused', 'the policy of the page refuses any other program');
}

async function checkNotices() {
  for (const {path, hash, words, lacks = [], name} of plan.notices) {
    const {page, troubles, close} = await open(path);
    await go(page, hash);
    const text = await page.textContent('main');
    tell(words.every((word) => text.includes(word)) && !lacks.some((word) => text.includes(word)),
      name, text.slice(0, 600));
    same(troubles, [], `and no complaint: ${name}`);
    await close();
  }
}

// ---- no program ----

// Who lets no program run reads that the page is one, and no promise that it will come.
async function checkWithoutScript() {
  const context = await browser.newContext({viewport: DESK, javaScriptEnabled: false});
  const page = await context.newPage();
  await page.goto(pathToFileURL(plan.report).href);
  same([await page.isVisible('main .notice'), await page.isVisible('#waiting')], [true, false],
    'without JavaScript the page says what it needs, and nothing else');
  await context.close();
}

// ---- ten thousand ----

async function checkMany() {
  const {path, assets, needle} = plan.many;
  const context = await browser.newContext({viewport: DESK});
  const page = await context.newPage();
  const troubles = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  await page.addInitScript(() => {
    window.longest = 0;
    window.tasks = [];
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
      window.tasks.push(Math.round(entry.duration));
    })).observe({type: 'longtask', buffered: true});
  });
  const started = Date.now();
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('html[data-ready]', {timeout: 120000});
  const loaded = Date.now() - started;
  await page.waitForTimeout(300);
  const loading = await page.evaluate(() => window.tasks.splice(0));
  await go(page, '#/assets');
  same(await shownCount(page), assets, `${assets} assets are listed`);
  await page.locator('#search').pressSequentially(needle.text, {delay: 30});
  await page.waitForTimeout(400);
  same(await shownCount(page), needle.number, 'and filtered');
  await page.fill('#search', '');
  await page.waitForTimeout(300);
  await page.locator('.assets th.c-length button').click();
  await page.locator('.assets th.c-name button').click();
  await page.locator('.pager button', {hasText: 'Last'}).first().click();
  await page.waitForTimeout(300);
  const using = await page.evaluate(() => window.tasks.splice(0));
  await go(page, `#/asset/${needle.id}`);
  await page.waitForSelector('.player canvas, .player .notice');
  await page.waitForTimeout(300);
  const opening = await page.evaluate(() => window.tasks.splice(0));
  const longest = (tasks) => Math.max(0, ...tasks);
  console.log(JSON.stringify({note: `${assets} assets: loaded in ${loaded} ms; longest task ` +
    `${longest(loading)} ms while loading, ${longest(using)} ms while filtering and sorting, ` +
    `${longest(opening)} ms while opening one (0: below 50 ms)`}));
  tell(longest([...loading, ...using, ...opening]) < plan.many.mostMs,
    'nothing is frozen', {loading, using, opening});
  same(troubles, [], 'and nothing fails');
  await context.close();
}

// ---- all ----

const {page, troubles, requests, url, close} = await open(plan.report);
await checkTable(page);
await checkPlayer(page, plan.played[0]);
for (const asset of plan.played) {
  await checkPoses(page, asset);
}
await checkBytes(page, plan.bytes);
await checkRule(page, plan.bytes);
await checkModel(page, plan.model);
await checkTextures(page, plan.textured);
await checkFault(page, plan.fault);
await checkMap(page);
await checkTheme(page);
await checkHostile(page, troubles, requests, url);
await close();
await checkLooks(plan.report);
await checkNotices();
await checkWithoutScript();
await checkMany();
await browser.close();
