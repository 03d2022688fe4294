// Streams a ZIP archive: its files one after the other, as they are created. Equal files give equal bytes, at any time
// and on any machine.

import { Readable, type PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';

export type StreamedFile = { readonly name: string; content(): AsyncIterable<string | Uint8Array> };

const compressionLevel = 6;

/** `modifiedAtMs` (epoch milliseconds) is the time of every file, in UTC. */
export async function* streamZip(entries: Iterable<StreamedFile>, modifiedAtMs: number): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  let openContent: Readable | undefined;
  for (const { name, content } of entries) {
    const options = { mtime: new UtcDate(modifiedAtMs), forceDosTimestamp: true, compressionLevel };
    zip.addReadStreamLazy(name, options, (start) => {
      openContent = Readable.from(content(), { objectMode: false });
      // The pipes of the library pass on bytes, but no errors.
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

/** The format stores local times without a zone, and the library reads those of this process. */
class UtcDate extends Date {
  override getFullYear = (): number => this.getUTCFullYear();
  override getMonth = (): number => this.getUTCMonth();
  override getDate = (): number => this.getUTCDate();
  override getHours = (): number => this.getUTCHours();
  override getMinutes = (): number => this.getUTCMinutes();
  override getSeconds = (): number => this.getUTCSeconds();
}
