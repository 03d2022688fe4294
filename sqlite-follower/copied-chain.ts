// Proves that the parts of a generation follow each other without a gap: their numbers, and the chain of checksums of the
// frames.

import {
  beginningOf,
  frameBytes,
  isSameLog,
  isSamePlace,
  parseWalHeader,
  readFrames,
  type Frame,
  type WalHeader,
  type WalPlace,
} from './wal-format.ts';
import { CopyError } from './copy-error.ts';
import type { PartHead } from './copy-lines.ts';

type Reached = { readonly part: number; readonly header: WalHeader; readonly place: WalPlace };

export class CopiedChain {
  readonly #tenant: string;
  readonly #generation: string;
  #reached: Reached | undefined;

  constructor(tenant: string, generation: string) {
    this.#tenant = tenant;
    this.#generation = generation;
  }

  /** The frames of the next part. Throws CopyError where it does not follow the one before. */
  follow(head: PartHead, bytes: Buffer): { readonly header: WalHeader; readonly frames: readonly Frame[] } {
    const fail = (problem: string): never => {
      throw new CopyError(`cannot be used: part ${head.part} of the generation ${this.#generation} ${problem}`);
    };
    const { tenant, generation, part, from } = head;
    if (tenant !== this.#tenant) fail(`is of the tenant ${tenant}`);
    if (generation !== this.#generation) fail(`is of the generation ${generation}`);
    const header = parseWalHeader(Buffer.from(head.header, 'base64')) ?? fail('has no header of a write-ahead log');
    const reached = this.#reached;
    if (reached !== undefined && part !== reached.part + 1) fail(`comes after part ${reached.part}`);
    const start = reached !== undefined && isSameLog(reached.header, header) ? reached.place : beginningOf(header);
    if (!isSamePlace(start, from)) fail('does not go on where the part before ends');
    const frames = [...readFrames(header, start, bytes)];
    const last = frames.at(-1);
    if (last === undefined || last.pagesAfterCommit === 0 || frames.length * frameBytes(header) !== bytes.length)
      return fail('holds no whole transactions');
    if (!isSamePlace(last.after, head.to)) fail('ends elsewhere than its head says');
    this.#reached = { part, header, place: last.after };
    return { header, frames };
  }
}
