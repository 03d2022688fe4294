// Streams a ZIP archive: its files one after the other, as they are made. Equal files give equal bytes, at any time on
// any machine.

import { Readable, type PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';

export type ZipEntry = { readonly name: string; content(): AsyncIterable<string | Uint8Array> };

const compressionLevel = 6;

/** `modifiedAtMs` (epoch milliseconds) is the time of every file, in UTC. */
export async function* streamZip(entries: Iterable<ZipEntry>, modifiedAtMs: number): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  let openContent: Readable | undefined;
  for (const { name, content } of entries) {
    const options = { mtime: new UtcDate(modifiedAtMs), forceDosTimestamp: true, compressionLevel };
    zip.addReadStreamLazy(name, options, (start) => {
      openContent = Readable.from(content(), { objectMode: false });
      // Its pipes pass on bytes alone.
      openContent.on('error', (error) => output.destroy(error));
      start(undefined, openContent);
    });
  }
  zip.end();
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } finally {
    openContent?.destroy();
  }
}

/** The format keeps local times without a zone, and its writer asks for those of this process. */
class UtcDate extends Date {
  override getFullYear = (): number => this.getUTCFullYear();
  override getMonth = (): number => this.getUTCMonth();
  override getDate = (): number => this.getUTCDate();
  override getHours = (): number => this.getUTCHours();
  override getMinutes = (): number => this.getUTCMinutes();
  override getSeconds = (): number => this.getUTCSeconds();
}
