// Elements. Text of the report only ever becomes text of an element: nothing here reads HTML.

// What a terminal would hide or obey is shown as what it is: marks that turn the direction of
// writing, controls, separators of lines.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function safe(text) {
  return text === null || text === undefined ? text : String(text).replace(UNSAFE, (c) =>
    c === '\n' ? '\\n' : c === '\r' ? '\\r' : c === '\t' ? '\\t'
      : '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}

// h makes an element: properties (class, on..., data-..., aria-...), then children: elements, texts,
// lists of them; null and false are left out.
function h(name, properties, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (key.startsWith('on')) {
      made.addEventListener(key.slice(2), value);
    } else if (key === 'value' || key === 'checked') {
      made[key] = value;
    } else {
      made.setAttribute(key, value === true ? '' : String(value));
    }
  }
  add(made, children);
  return made;
}

function add(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      parent.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
}

function fill(parent, ...children) {
  parent.replaceChildren();
  add(parent, children);
  return parent;
}

// icon draws one: paths in a square of 16.
const ICONS = {
  play: ['M4 2.5v11l9-5.5z'], pause: ['M4 2.5h3v11H4z', 'M9 2.5h3v11H9z'],
  first: ['M3 3h2v10H3z', 'M13 3v10L6 8z'], last: ['M11 3h2v10h-2z', 'M3 3v10l7-5z'],
  back: ['M10.5 3v10L4.5 8z'], on: ['M5.5 3v10l6-5z'],
  plus: ['M7 3h2v4h4v2H9v4H7V9H3V7h4z'], minus: ['M3 7h10v2H3z'],
};

function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const made = document.createElementNS(space, 'svg');
  made.setAttribute('viewBox', '0 0 16 16');
  made.setAttribute('aria-hidden', 'true');
  made.setAttribute('class', 'icon');
  for (const d of ICONS[name]) {
    const path = document.createElementNS(space, 'path');
    path.setAttribute('d', d);
    made.append(path);
  }
  return made;
}

function iconButton(label, name, onclick, properties) {
  return h('button', {type: 'button', 'aria-label': label, title: label, onclick, ...properties},
    icon(name));
}

// ---- numbers ----

const GROUPED = new Intl.NumberFormat('en');

function count(number) {
  return number === null || number === undefined ? '–' : GROUPED.format(number);
}

function plural(number, noun) {
  return `${count(number)} ${number === 1 ? noun : manyOf(noun)}`;
}

function manyOf(noun) {
  return noun.endsWith('ss') ? `${noun}es` : noun === 'run of sectors' ? 'runs of sectors'
    : `${noun}s`;
}

function hex(number, digits = 8) {
  return number === null || number === undefined ? '–'
    : '0x' + number.toString(16).padStart(digits, '0');
}

function size(bytes) {
  if (bytes === null || bytes === undefined) {
    return '–';
  }
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let number = bytes;
  while (number >= 1024 && unit < units.length - 1) {
    number /= 1024;
    unit += 1;
  }
  return `${unit === 0 || number >= 100 ? Math.round(number) : number.toFixed(1)} ${units[unit]}`;
}

// The time on a disc begins two seconds before its sector 0.
function msf(lba) {
  const at = lba + 150;
  const two = (n) => String(n).padStart(2, '0');
  return `${two(Math.floor(at / 4500))}:${two(Math.floor(at / 75) % 60)}:${two(at % 75)}`;
}

// ---- parts that several views have ----

function severityMark(severity) {
  return h('span', {class: `mark ${severity}`}, severity);
}

function formatMark(format) {
  return h('span', {class: 'tag'}, format);
}

function ruleLink(code) {
  return h('a', {class: 'code', href: `#/rules/${encodeURIComponent(code)}`}, code);
}

// withLinks is a text in which the codes of known rules lead to them.
function withLinks(text) {
  return text.split(/\b([A-Z]{3}[0-9]{4})\b/).map((part, i) =>
    (i % 2 === 1 && db.rules.has(part) ? ruleLink(part) : part));
}

function assetLink(asset) {
  return h('a', {href: `#/asset/${asset.id}`}, asset.name);
}

function field(label, control) {
  return h('label', {class: 'field'}, h('span', {}, label), control);
}

function choice(label, options, onchange, value) {
  const select = h('select', {onchange: () => onchange(select.value)},
    options.map(([key, text]) => h('option', {value: key, selected: key === value}, text)));
  return field(label, select);
}

// pager says which part of a list is shown and leads to the others.
function pager(what, onmove) {
  const text = h('span', {role: 'status'});
  const move = (by) => () => onmove(by);
  const buttons = [['First', -Infinity], ['Previous', -1], ['Next', 1], ['Last', Infinity]].map(
    ([name, by]) => h('button', {type: 'button', onclick: move(by)}, name));
  const bar = h('div', {class: 'pager'}, text, h('span', {class: 'buttons'}, buttons));
  return {
    bar,
    show(page, perPage, total) {
      const first = total === 0 ? 0 : page * perPage + 1;
      const last = Math.min(total, (page + 1) * perPage);
      text.textContent = total === 0 ? `No ${manyOf(what)}`
        : `${count(first)}–${count(last)} of ${plural(total, what)}`;
      buttons[0].disabled = buttons[1].disabled = page === 0;
      buttons[2].disabled = buttons[3].disabled = last >= total;
      bar.classList.toggle('single', total <= perPage);
    },
  };
}

function movedPage(page, by, perPage, total) {
  const last = Math.max(0, Math.ceil(total / perPage) - 1);
  return Math.min(last, Math.max(0, by === Infinity ? last : by === -Infinity ? 0 : page + by));
}

// late calls back when nothing more has come for a moment.
function late(milliseconds, call) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), milliseconds);
  };
}

function remembered(key, value) {
  try {
    if (value !== undefined) {
      localStorage.setItem(key, value);
    }
    return localStorage.getItem(key);
  } catch (error) {
    return null; // pages from a disk may have no storage
  }
}
