'use strict';
const main = document.querySelector('main');
const content = JSON.parse(document.querySelector('#content').textContent);
const short = text => text.replaceAll('Directory', '');

function add(parent, tag, text, className) {
  const element = parent.appendChild(document.createElement(tag));
  if (text !== undefined) {
    element.textContent = text;
  }
  if (className) {
    element.className = className;
  }
  return element;
}

function list(parent, items) {
  const ul = add(parent, 'ul');
  items.forEach(item => add(ul, 'li', item));
  return ul;
}

function table(parent, { title, note, header, rows }, open) {
  const details = add(parent, 'details');
  details.open = open;
  add(details, 'summary', title);
  if (note) {
    add(details, 'p', note, 'note');
  }
  const body = add(add(details, 'div', undefined, 'scroll'), 'table');
  const head = add(body, 'tr');
  header.forEach(name => add(head, 'th', short(name)));
  for (const row of rows) {
    const line = add(body, 'tr');
    for (const cell of row) {
      const td = add(line, 'td', short(cell.value), cell.verdict);
      if (cell.ratio) {
        add(td, 'small', cell.ratio);
        add(td, 'small', cell.spread === 'noisy' ? 'noisy' : cell.range);
      }
    }
  }
}

list(main, content.hints);
if (content.tables.length) {
  add(main, 'h2', 'Figures');
  add(main, 'p', 'Medians over JVMs, with half of the 95 % interval. Below, the ratio and its interval.', 'note');
}
content.tables.forEach((each, i) => table(main, each, i === 0));
add(main, 'h2', 'What was measured');
content.notes.forEach(note => add(main, 'p', note));
const facts = add(main, 'details');
add(facts, 'summary', 'Where and how');
const body = add(add(facts, 'div', undefined, 'scroll'), 'table', undefined, 'facts');
Object.entries(content.facts).forEach(([name, value]) => {
  const line = add(body, 'tr');
  add(line, 'td', name);
  add(add(line, 'td'), 'code', value);
});
