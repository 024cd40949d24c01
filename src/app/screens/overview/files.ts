/** A picture as a file: its rows as CSV, its drawing as PNG. */
import { toCsvCell } from '../../parts/cells';
import { downloadFile } from '../../parts/downloadFile';
import type { Picture } from './picture';

export function toCsv({ by, columns, rows }: Picture): string {
  const lines = [
    [by, ...columns.map(({ name }) => name)].map(toCsvCell),
    ...rows.map(({ label, values }) => [
      toCsvCell(label),
      ...columns.map(({ unit }, n) => {
        const value = values[n];
        return value === null || value === undefined ? '' : unit === 'count' ? String(value) : value.toFixed(2);
      }),
    ]),
  ];
  // A byte order mark makes spreadsheets read it as UTF-8.
  return `\uFEFF${lines.map((line) => `${line.join(',')}\r\n`).join('')}`;
}

export const saveCsv = (picture: Picture, name: string): void =>
  downloadFile(new Blob([toCsv(picture)], { type: 'text/csv' }), `${name}.csv`);

const drawn = 'fill fill-opacity stroke stroke-width stroke-dasharray font-size font-weight text-anchor'.split(' ');
const SCALE = 2;
const HEAD = 56;
const EDGE = 20;

/** Draws the picture with its title on the colours of the screen, twice as large as it is there. */
export async function savePng(svg: SVGSVGElement, { title, note }: Picture, name: string): Promise<void> {
  const [width, height] = [svg.clientWidth, svg.clientHeight];
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll('*');
  for (const [n, element] of copy.querySelectorAll('*').entries()) {
    const style = getComputedStyle(originals[n] as Element);
    for (const property of drawn) element.setAttribute(property, style.getPropertyValue(property));
    element.removeAttribute('href');
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.setAttribute('font-family', 'system-ui, sans-serif');
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();

  const canvas = document.createElement('canvas');
  canvas.width = (width + 2 * EDGE) * SCALE;
  canvas.height = (height + HEAD + EDGE) * SCALE;
  const context = canvas.getContext('2d');
  if (!context) return;
  const { color } = getComputedStyle(svg);
  context.scale(SCALE, SCALE);
  context.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  context.fillRect(0, 0, width + 2 * EDGE, height + HEAD + EDGE);
  context.fillStyle = color;
  context.font = '600 16px system-ui, sans-serif';
  context.fillText(title, EDGE, 26);
  context.font = '12px system-ui, sans-serif';
  context.fillText(note, EDGE, 44, width);
  context.drawImage(image, EDGE, HEAD, width, height);
  const file = await new Promise<Blob | null>((done) => canvas.toBlob(done));
  if (file) downloadFile(file, `${name}.png`);
}
