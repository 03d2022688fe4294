// Reads the files of a copy: the names of its generations, a base, and the parts of segments, alone or joined.

import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentReader } from './content-reader.ts';
import { CopyError } from './copy-error.ts';
import { explainMissingParts } from './choose-copy.ts';
import { isGenerationName, readGeneration, type Generation, type SegmentName } from './copy-names.ts';
import { parseBaseHead, parsePartHead, type BaseHead, type PartHead } from './copy-lines.ts';
import type { Container, CopyTarget } from './write-copy.ts';
import { parseJoinedLine, requireJoinedBeginning, requireJoinedEnd } from './joined-lines.ts';

export type CopySource = Pick<CopyTarget, 'folder' | 'container'>;

type CopiedPart = { readonly head: PartHead; readonly frames: Buffer };

const maxListings = 20;

/** In the order of time. */
export async function listGenerations(folder: string): Promise<Generation[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && isGenerationName(entry.name)).map(({ name }) => name);
  return Promise.all(names.toSorted().map((name) => listGeneration(folder, name)));
}

/**
 * If segments are joined while the names are read, neither these nor the joined file might be seen. The next time the
 * joined file is: so the names are those that were read twice.
 */
async function listGeneration(folder: string, name: string): Promise<Generation> {
  const list = async (): Promise<string[]> => (await readdir(join(folder, name))).toSorted();
  let files = await list();
  for (let listing = 1; listing <= maxListings; listing += 1) {
    const again = await list();
    if (again.join('/') === files.join('/')) break;
    files = again;
  }
  return readGeneration(name, files);
}

/** The head of a base, and then the bytes of the database. */
export async function* readBase(
  { folder, container }: CopySource,
  generation: string,
  name: string,
): AsyncGenerator<{ readonly head: BaseHead; readonly bytes: Buffer }, void> {
  const path = join(folder, generation, name);
  yield* explainFile(`${generation}/${name}`, async function* () {
    const reader = new ContentReader(container.read(createReadStream(path)));
    const line = await reader.readLine();
    if (line === undefined) throw new CopyError('has no head');
    const head = parseBaseHead(line);
    for await (const bytes of reader.rest()) yield { head, bytes };
  });
}

/** The parts from this one on. Segments that are joined meanwhile are read from the joined file. */
export async function* readParts(
  source: CopySource,
  generation: Generation,
  first: number,
): AsyncGenerator<CopiedPart, void> {
  let { segments } = generation;
  let [index, next, missing] = [0, first, ''];
  for (;;) {
    const segment = segments[index];
    if (segment === undefined) return;
    index += 1;
    if (segment.last < next) continue;
    if (segment.first > next) throw new CopyError(explainMissingParts(generation.name, next, segment.first - 1));
    try {
      for await (const part of readSegment(source, generation.name, segment)) {
        if (part.head.part < next) continue;
        yield part;
        next = part.head.part + 1;
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' || missing === segment.name) throw error;
      missing = segment.name;
      ({ segments } = await listGeneration(source.folder, generation.name));
      index = 0;
    }
  }
}

export async function* readSegment(
  { folder, container }: CopySource,
  generation: string,
  segment: SegmentName,
): AsyncGenerator<CopiedPart, void> {
  const stream = createReadStream(join(folder, generation, segment.name));
  const path = `${generation}/${segment.name}`;
  try {
    if (segment.isJoined) yield* explainFile(path, () => readJoined(stream, container, { path, joined: segment }));
    else yield* explainFile(path, () => readContent(stream, container, segment));
  } finally {
    stream.destroy();
  }
}

async function* readJoined(
  stream: AsyncIterable<Uint8Array>,
  container: Container,
  { path, joined }: { readonly path: string; readonly joined: SegmentName },
): AsyncGenerator<CopiedPart, void> {
  const reader = new ContentReader(stream);
  requireJoinedBeginning(await reader.readLine());
  let next = joined.first;
  for (let line = await reader.readLine(); line !== undefined; line = await reader.readLine()) {
    const segment = parseJoinedLine(line, next, joined);
    yield* explainFile(`${path}, in it ${segment.name},`, () =>
      readContent(reader.readPieces(segment.bytes), container, segment),
    );
    next = segment.last + 1;
  }
  requireJoinedEnd(next, joined);
}

async function* readContent(
  bytes: AsyncIterable<Uint8Array>,
  container: Container,
  { first, last, atMs }: SegmentName,
): AsyncGenerator<CopiedPart, void> {
  const reader = new ContentReader(container.read(bytes));
  let [next, readMs] = [first, 0];
  for (let line = await reader.readLine(); line !== undefined; line = await reader.readLine()) {
    const head = parsePartHead(line);
    if (head.part !== next || next > last) throw new CopyError(otherParts);
    const frames = await reader.readBytes(head.bytes);
    if (frames === undefined) throw new CopyError(`is cut short in part ${head.part}`);
    yield { head, frames };
    next += 1;
    ({ readMs } = head);
  }
  if (next !== last + 1 || readMs !== atMs) throw new CopyError(otherParts);
}

const otherParts = 'has other parts than its name says';

/** Names the file in the error, which says what is wrong with the copy. */
async function* explainFile<T>(path: string, read: () => AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  try {
    yield* read();
  } catch (error) {
    if (!(error instanceof CopyError) || error instanceof CopiedFileError) throw error;
    throw new CopiedFileError(`cannot be used: ${path} ${error.message}`);
  }
}

/** Names the file already. */
class CopiedFileError extends CopyError {}
