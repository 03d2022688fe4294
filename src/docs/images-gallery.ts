// The pictures of docs/images.md: each is what the service answers to a path, kept as it is in a file of its own.

import type { ExampleService } from './example-service.ts';

const host = 'api.sund.localhost';
const apiPath = '/api/v1';

/** The paths that answer the pictures shown so far, by the file under docs/images that keeps them. */
export type Gallery = Map<string, string>;

export type ImageOptions = {
  readonly alt: string;
  /** Pixels on the page; without it the picture has its own size. */
  readonly width?: number;
};

/** An image of the page. The path stands below `/api/v1/`. */
export function addImage(gallery: Gallery, file: string, path: string, { alt, width }: ImageOptions): string {
  const known = gallery.get(file) ?? path;
  if (known !== path) throw new Error(`${file} is to be ${known} and ${path}`);
  gallery.set(file, path);
  return `<img src="images/${file}"${width === undefined ? '' : ` width="${width}"`} alt="${alt}">`;
}

/** Cells in rows of so many, each of so many pixels at least: Markdown's own tables have neither. */
export function formatGrid(columns: number, width: number, cells: readonly string[]): string {
  const rows: string[] = [];
  for (let at = 0; at < cells.length; at += columns) {
    const row = cells.slice(at, at + columns).map((cell) => `<td align="center" width="${width}">${cell}</td>`);
    rows.push(`<tr>\n${row.join('\n')}\n</tr>`);
  }
  return `<table>\n${rows.join('\n')}\n</table>`;
}

/** Asks for every picture: the text of each file. */
export async function readImages({ app }: ExampleService, gallery: Gallery): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [file, path] of gallery) {
    const response = await app.inject({ url: `${apiPath}/${path}`, headers: { host } });
    if (response.statusCode !== 200) throw new Error(`${path} is refused: ${response.body}`);
    texts.set(file, response.body);
  }
  return texts;
}
