'use strict';
const root = document.documentElement;
const main = document.querySelector('main');
const content = JSON.parse(document.querySelector('#content').textContent);
const short = text => text.replaceAll('Directory', '');
const fitting = text => text.length > 21 ? text.slice(0, 19) + '…' : text;
const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

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

/* Colours are variables of the style sheet, which a canvas does not know. */
const probe = add(document.body, 'i');
function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

/* Round values of a logarithmic axis, as few as fit. */
function ticks(low, high) {
  const span = high / low;
  if (span < 5) {
    return [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 3, 4].filter(t => t >= low && t <= high);
  }
  const found = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10) {
    for (const step of span < 200 ? [1, 2, 5] : [1]) {
      const tick = Number((power * step).toPrecision(3));
      if (tick >= low && tick <= high) {
        found.push(tick);
      }
    }
  }
  return found;
}

/* The line at 1 and dots on bars; intervals and the limit of lines. */
const marks = {
  id: 'marks',
  beforeDatasetsDraw(view) {
    const { ctx, chartArea: area, scales: { x, y } } = view;
    const chart = view.options.chart;
    const stroke = (style, width, x1, y1, x2, y2, dash = []) => {
      ctx.save();
      ctx.setLineDash(dash);
      ctx.strokeStyle = style;
      ctx.lineWidth = width;
      ctx.beginPath();
      ctx.moveTo(x1, y1);
      ctx.lineTo(x2, y2);
      ctx.stroke();
      ctx.restore();
    };
    if (!chart.lines) {
      const one = x.getPixelForValue(1);
      stroke(colour('ink'), 1, one, area.top, one, area.bottom);
      return;
    }
    if (chart.lines.limit) {
      const at = y.getPixelForValue(chart.lines.limit);
      stroke(colour('slower'), 1.5, area.left, at, area.right, at, [5, 3]);
    }
    for (const line of chart.lines.lines) {
      if (line.points.length <= 20) {
        for (const p of line.points.filter(point => point.low)) {
          const at = x.getPixelForValue(p.x);
          const end = value => y.getPixelForValue(Math.min(chart.high, Math.max(chart.low, value)));
          stroke(colour('s' + line.style % 8), 1, at, end(p.low), at, end(p.high));
        }
      }
    }
  },
  afterDatasetsDraw(view) {
    const { ctx, scales: { x, y } } = view;
    view.options.chart.bars.forEach((bar, row) => {
      ctx.fillStyle = colour(bar.verdict === 'same' ? 'soft' : bar.verdict);
      ctx.beginPath();
      ctx.arc(x.getPixelForValue(bar.value), y.getPixelForValue(row), 4, 0, 2 * Math.PI);
      ctx.fill();
    });
  },
};

function told(value, low, high, unit) {
  const range = low === undefined ? '' : ` (${number.format(low)} to ${number.format(high)})`;
  return `${number.format(value)}${unit ? ' ' + unit : ''}${range}`;
}

function axis(chart) {
  return {
    type: 'logarithmic',
    min: chart.low,
    max: chart.high,
    grid: { color: colour('line') },
    border: { color: colour('line') },
    afterBuildTicks: scale => {
      scale.ticks = ticks(chart.low, chart.high).map(value => ({ value }));
    },
    ticks: {
      color: colour('soft'), maxRotation: 0, autoSkipPadding: 6,
      callback: value => number.format(value),
    },
  };
}

function barOptions(chart) {
  const clipped = value => Math.min(chart.high, Math.max(chart.low, value));
  return {
    type: 'bar',
    data: {
      labels: chart.bars.map(bar => fitting(short(bar.label))),
      datasets: [{
        data: chart.bars.map(bar => bar.low === undefined ? [bar.value, bar.value] : [clipped(bar.low), clipped(bar.high)]),
        backgroundColor: chart.bars.map(bar => colour(bar.verdict === 'same' ? 'soft' : bar.verdict)),
        barThickness: 3,
      }],
    },
    options: {
      indexAxis: 'y',
      scales: {
        x: axis(chart),
        y: { ticks: { color: colour('ink'), autoSkip: false, font: { size: 11 } }, grid: { display: false }, border: { display: false } },
      },
      plugins: {
        legend: { display: false },
        tooltip: { callbacks: { label: item => told(chart.bars[item.dataIndex].value, chart.bars[item.dataIndex].low, chart.bars[item.dataIndex].high) } },
      },
    },
  };
}

function lineOptions(chart) {
  const { ticks: places, along, unit, lines } = chart.lines;
  const named = x => places.find(place => place.x === x)?.label;
  const xs = lines.flatMap(line => line.points.map(point => point.x));
  const first = Math.min(...xs);
  const last = Math.max(...xs);
  const room = (last - first) * 0.03 || 1;
  return {
    type: 'line',
    data: {
      datasets: lines.map(line => ({
        label: short(line.label),
        data: line.points,
        borderColor: colour('s' + line.style % 8),
        backgroundColor: colour('s' + line.style % 8),
        borderWidth: 2,
        borderDash: line.style % 8 > 3 ? [6, 3] : [],
        pointRadius: line.points.length > 20 ? 0 : 2.5,
      })),
    },
    options: {
      interaction: { mode: 'nearest', intersect: false },
      scales: {
        x: {
          type: 'linear', min: first - room, max: last + room,
          title: { display: true, text: along, color: colour('soft') },
          grid: { display: false }, border: { color: colour('line') },
          afterBuildTicks: scale => {
            scale.ticks = places.length
              ? places.map(place => ({ value: place.x }))
              : scale.ticks.filter(tick => tick.value >= first && tick.value <= last);
          },
          ticks: {
            color: colour('soft'), maxRotation: 0, autoSkip: true,
            callback: value => places.length ? named(value) ?? '' : number.format(value),
          },
        },
        y: { ...axis(chart), title: { display: true, text: unit, color: colour('soft') } },
      },
      plugins: {
        legend: { position: 'bottom', labels: { color: colour('ink'), boxWidth: 16, boxHeight: 2, font: { size: 11 } } },
        tooltip: { callbacks: {
          title: items => named(items[0].parsed.x) || number.format(items[0].parsed.x),
          label: item => `${item.dataset.label}: ${told(item.raw.y, item.raw.low, item.raw.high, unit)}`,
        } },
      },
    },
  };
}

const drawn = [];
function draw({ canvas, chart }) {
  const options = chart.lines ? lineOptions(chart) : barOptions(chart);
  Object.assign(options.options, { chart, animation: false, responsive: true, maintainAspectRatio: false });
  options.plugins = [marks];
  Chart.getChart(canvas)?.destroy();
  new Chart(canvas, options);
}

/* The numbers of a chart as comma-separated values. */
function csv(chart) {
  const quoted = text => `"${text.replaceAll('"', '""')}"`;
  const rows = chart.lines
    ? chart.lines.lines.flatMap(line => line.points.map(p => [quoted(line.label), p.x, p.y, p.low, p.high]))
    : chart.bars.map(bar => [quoted(bar.label), bar.value, bar.low, bar.high]);
  const header = chart.lines ? 'name,x,value,low,high' : 'name,value,low,high';
  return [header, ...rows.map(row => row.join())].join('\n') + '\n';
}

function download(parent, kind, name, address) {
  add(parent, 'button', kind).addEventListener('click', () => {
    const link = document.createElement('a');
    link.download = `${name}.${kind.toLowerCase()}`;
    link.href = address();
    link.click();
  });
}

function figure(parent, chart) {
  const box = add(parent, 'figure');
  add(box, 'h3', chart.title);
  const frame = add(box, 'div');
  frame.style.height = chart.lines ? `${260 + 14 * chart.lines.lines.length}px` : `${40 + 20 * chart.bars.length}px`;
  const canvas = add(frame, 'canvas');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${chart.title}; the tables hold its numbers`);
  const caption = add(box, 'figcaption', '');
  add(caption, 'span', chart.note);
  const buttons = add(caption, 'span', undefined, 'downloads');
  download(buttons, 'PNG', chart.title, () => Chart.getChart(canvas).toBase64Image());
  download(buttons, 'CSV', chart.title, () => `data:text/csv;charset=utf-8,${encodeURIComponent(csv(chart))}`);
  drawn.push({ canvas, chart });
  draw(drawn.at(-1));
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
let group;
let grid;
for (const chart of content.charts) {
  if (chart.group !== group) {
    group = chart.group;
    add(main, 'h2', group);
    const note = content.tables.find(t => t.note && t.title.startsWith(group))?.note;
    if (note) {
      add(main, 'p', note, 'note');
    }
    if (!chart.lines && chart === content.charts[0]) {
      add(main, 'p', 'A dot is a ratio and its bar the 95 % interval, cut off at the edge: blue is better and orange is worse. Grey bars reach across 1 and tell no difference. All charts of ratios have one scale.', 'note');
    }
    grid = add(main, 'div', undefined, 'charts');
  }
  figure(grid, chart);
}
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

const redraw = () => drawn.forEach(draw);
const system = matchMedia('(prefers-color-scheme: dark)');
system.addEventListener('change', redraw);
document.querySelector('#theme').addEventListener('click', () => {
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : system.matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  redraw();
});
