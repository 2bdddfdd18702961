import type { Page } from 'playwright-core';

/** In the page, since only a browser knows which colours apply. */
const FAINT = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const parse = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || !element.checkVisibility({ visibilityProperty: true }) || element.closest('button:disabled')) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const [one, other] = [luminance(parse(color)), luminance(ground(element))].map((value) => value + 0.05);
    const size = parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    const ratio = Math.max(one, other) / Math.min(one, other);
    if (ratio < (isLarge ? 3 : 4.5)) found.add(text.slice(0, 40) + ' ' + ratio.toFixed(2) + ' .' + element.className);
  }
  return [...found];
})()`;

/** Visible texts that stand out too little from their ground (WCAG 2.2, success criterion 1.4.3), with the contrast. */
export const faintTexts = (page: Page): Promise<string[]> => page.evaluate<string[]>(FAINT);
