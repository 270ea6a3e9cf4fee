'use strict';
const root = document.documentElement;
const isDark = () => root.dataset.theme
  ? root.dataset.theme === 'dark'
  : matchMedia('(prefers-color-scheme: dark)').matches;
document.querySelector('#theme').addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
});
/* A picture of a chart, three times its size, in the colours that the page has at the moment. */
async function png(svg) {
  const copy = svg.cloneNode(true);
  const box = svg.viewBox.baseVal;
  copy.setAttribute('width', box.width);
  copy.setAttribute('height', box.height);
  copy.dataset.theme = isDark() ? 'dark' : 'light';
  copy.prepend(document.querySelector('#chart-style').cloneNode(true));
  const picture = new Image();
  picture.src = 'data:image/svg+xml;charset=utf-8,'
    + encodeURIComponent(new XMLSerializer().serializeToString(copy));
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = 3 * box.width;
  canvas.height = 3 * box.height;
  const context = canvas.getContext('2d');
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}
document.addEventListener('click', async event => {
  const name = event.target.dataset.png;
  if (name) {
    const link = document.createElement('a');
    link.download = name;
    link.href = await png(event.target.closest('figure').querySelector('svg'));
    link.click();
  }
});
