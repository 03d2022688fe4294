// Reads the built console: its page and its hashed files, each with what the build has compressed.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { codings, type Coding } from '../compression/codings.ts';
import { etagOf } from '../routes/static-resource.ts';

export type ConsoleFile = {
  readonly mediaType: string;
  readonly body: Buffer;
  /** A strong entity tag of the uncompressed body. */
  readonly etag: string;
  readonly compressed: ReadonlyMap<Coding, Buffer>;
};

export type ConsoleFiles = {
  /** For every address of a screen. */
  readonly page: ConsoleFile;
  /** By their names in the folder of assets. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
};

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Undefined if the console has not been built. */
export function readConsoleFiles(folder: string): ConsoleFiles | undefined {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return undefined;
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => extname(name) in mediaTypes);
  return { page: readFile(page), assets: new Map(names.map((name) => [name, readFile(join(assets, name))])) };
}

function readFile(path: string): ConsoleFile {
  const body = readFileSync(path);
  const compressed = codings
    .filter((coding) => existsSync(`${path}.${coding}`))
    .map((coding) => [coding, readFileSync(`${path}.${coding}`)] as const);
  return {
    mediaType: mediaTypes[extname(path)] ?? 'application/octet-stream',
    body,
    etag: etagOf(body),
    compressed: new Map(compressed),
  };
}
