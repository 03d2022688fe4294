// Collects the images of docs/images.md, and requests each of them from the service.

import type { ExampleService } from './example-service.ts';

const host = 'api.sund.localhost';
const apiPath = '/api/v1';

/** The path of each image of the page, by the name of its file in docs/images. */
export type Gallery = Map<string, string>;

type ImageOptions = {
  readonly alt: string;
  /** Pixels on the page. Without it, the image has its own size. */
  readonly width?: number;
};

/** Adds an image to the gallery, and returns its HTML. The path is relative to `/api/v1/`. */
export function addImage(gallery: Gallery, file: string, path: string, { alt, width }: ImageOptions): string {
  const known = gallery.get(file) ?? path;
  if (known !== path) throw new Error(`${file} has two paths: ${known} and ${path}`);
  gallery.set(file, path);
  return `<img src="images/${file}"${width === undefined ? '' : ` width="${width}"`} alt="${alt}">`;
}

/** An HTML table, because Markdown tables have no column width. `width` is the least width of a cell in pixels. */
export function formatGrid(columns: number, width: number, cells: readonly string[]): string {
  const rows: string[] = [];
  for (let index = 0; index < cells.length; index += columns) {
    const row = cells.slice(index, index + columns).map((cell) => `<td align="center" width="${width}">${cell}</td>`);
    rows.push(`<tr>\n${row.join('\n')}\n</tr>`);
  }
  return `<table>\n${rows.join('\n')}\n</table>`;
}

/** Requests every image, and returns the text of each file. */
export async function readImages({ app }: ExampleService, gallery: Gallery): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [file, path] of gallery) {
    const response = await app.inject({ url: `${apiPath}/${path}`, headers: { host } });
    if (response.statusCode !== 200) throw new Error(`${path} failed: ${response.body}`);
    texts.set(file, response.body);
  }
  return texts;
}
