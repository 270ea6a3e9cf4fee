/* What is wrong with the page as it is laid out now: a list of sentences. */
(() => {
  const wrong = [];
  const tell = (what, element) => wrong.length < 20
    && wrong.push(what + ': ' + element.outerHTML.slice(0, 160));
  const channel = value => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = colour => {
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
    return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const paper = getComputedStyle(document.body).backgroundColor;
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    wrong.push('the page is ' + root.scrollWidth + ' wide on ' + root.clientWidth);
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.closest('.scroll') && element.getBoundingClientRect().right > root.clientWidth + 1) {
        tell('beyond the edge', element);
      }
    }
  }
  const texts = 'h1, h2, h3, p, td, th, small, li, span, a, summary, button, code';
  for (const element of document.body.querySelectorAll(texts)) {
    if (contrast(getComputedStyle(element).color, paper) < 4.5) {
      tell('hard to read', element);
    }
  }
  for (const svg of document.querySelectorAll('figure svg')) {
    const frame = svg.getBoundingClientRect();
    if (frame.width < 200 || frame.height < 50) {
      tell('not drawn', svg);
    }
    const marks = [...svg.querySelectorAll('circle, polyline, line, rect')];
    if (svg.querySelectorAll('circle').length === 0) {
      tell('no values', svg);
    }
    for (const mark of marks) {
      const box = mark.getBoundingClientRect();
      if (![box.left, box.top, box.right, box.bottom].every(Number.isFinite)
          || /NaN|Infinity/.test(mark.outerHTML)
          || box.left < frame.left - 1 || box.right > frame.right + 1
          || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
        tell('outside of its chart', mark);
      }
      const style = getComputedStyle(mark);
      const isData = mark.parentNode.tagName === 'g' && !mark.classList.contains('bar');
      if (isData && contrast(style.stroke === 'none' ? style.fill : style.stroke, paper) < 3) {
        tell('hard to see', mark);
      }
    }
    const labels = [...svg.querySelectorAll('text')];
    const boxes = labels.map(label => label.getBoundingClientRect());
    labels.forEach((label, i) => {
      const box = boxes[i];
      if (box.left < frame.left - 1 || box.right > frame.right + 1
          || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
        tell('label outside of its chart', label);
      }
      if (contrast(getComputedStyle(label).fill, paper) < 4.5) {
        tell('label hard to read', label);
      }
      for (let j = 0; j < i; j++) {
        const other = boxes[j];
        if (box.left < other.right - 0.5 && other.left < box.right - 0.5
            && box.top < other.bottom - 3 && other.top < box.bottom - 3) {
          tell('label over "' + labels[j].textContent + '"', label);
        }
      }
    });
  }
  return wrong;
})()
