// The variants on disk, seen from the main thread. What is put goes there in batches. Where the disk fails it is left
// alone for a while, and what it holds counts as absent.

import type { Logger } from 'pino';
import { diskOf, DiskFailure } from './disk.ts';
import { DiskIndex } from './disk-index.ts';
import { gathered } from './gathered.ts';
import type { FileBounds, Outgoing, Request, Stored } from './protocol.ts';
import { packed, WaitingLine } from './waiting-line.ts';

export type DiskStoreOptions = {
  readonly file: string;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly bounds: FileBounds;
  readonly batchEveryMs: number;
};

export type DiskStore = {
  /** The index has been read, or cannot be. */
  readonly opened: Promise<void>;
  /** Whether the disk has it; if so, it counts as used. */
  use(key: string): boolean;
  /** What the disk has; undefined at once where it cannot be asked. */
  read(key: string): Promise<Stored | undefined> | undefined;
  put(variant: Outgoing): void;
  close(): Promise<void>;
};

const batchBounds = { maxVariants: 1000, maxBytes: 4 * 1024 * 1024 };
const maxWaitingBytes = 16 * 1024 * 1024;
/** Without anything to write, the index is looked through this seldom. */
const batchesPerLook = 60;
const warnEveryMs = 60_000;
/** So many batches long it is left alone where somebody else has the file, or where it cannot be used. */
const rests = { busy: 1, broken: 10 };

export function openDiskStore({ file, log, clock, bounds, batchEveryMs }: DiskStoreOptions): DiskStore {
  const disk = diskOf({ file, bounds });
  const index = new DiskIndex(bounds);
  const line = new WaitingLine({ ...bounds, maxBytes: Math.min(bounds.maxBytes, maxWaitingBytes) });
  let closed = false;
  const restsUntil = { read: 0, write: 0 };
  let warnedAt = -Infinity;
  let batches = 0;
  let writing: Promise<unknown> | undefined;

  const resting = (kind: Request['kind']): boolean => performance.now() < restsUntil[kind];
  const failed = (kind: Request['kind'], error: unknown): void => {
    const { busy, closed: unusable } = error instanceof DiskFailure ? error : { busy: false, closed: true };
    const now = performance.now();
    const until = now + batchEveryMs * (busy ? rests.busy : rests.broken);
    restsUntil[kind] = until;
    if (unusable) {
      index.clear();
      restsUntil.read = until;
      restsUntil.write = until;
    }
    if (now - warnedAt < warnEveryMs) return;
    warnedAt = now;
    log.warn({ err: error, file }, 'the image cache goes on in memory alone for now');
  };
  // What others removed is noticed only when it is asked for; before there is too much of that, all is read again.
  const all = (): boolean => index.size > bounds.maxVariants;

  const readMany = async (keys: readonly string[]): Promise<ReadonlyMap<string, Stored>> => {
    if (resting('read')) return new Map();
    try {
      const answer = await disk.ask({ kind: 'read', keys, all: all() });
      index.learn(answer);
      return new Map(answer.found.map((variant) => [variant.key, variant]));
    } catch (error) {
      failed('read', error);
      return new Map();
    }
  };

  /** Whether it was taken. */
  const writeBatch = async (): Promise<boolean> => {
    const full = index.size + line.length > bounds.maxVariants || index.bytes + line.bytes > bounds.maxBytes;
    const variants = line.take(batchBounds);
    const uses = index.unsaved({ coarse: !full });
    const nowMs = clock();
    try {
      index.learn(await disk.ask({ kind: 'write', variants: packed(variants), uses, nowMs, all: all() }));
      index.saved(uses);
      index.forgetSpoilt(nowMs);
      return true;
    } catch (error) {
      line.giveBack(variants);
      failed('write', error);
      return false;
    }
  };
  const somethingIsDue = (): boolean =>
    line.length > 0 || index.hasSpoilt(clock()) || index.unsaved({ coarse: true }).length > 0;
  const beat = (): void => {
    batches += 1;
    if (writing !== undefined || resting('write')) return;
    if (line.length === 0 && (batches % batchesPerLook !== 1 || !somethingIsDue())) return;
    writing = writeBatch().finally(() => (writing = undefined));
  };

  const opened = readMany([]).then(() => {});
  const timer = setInterval(beat, batchEveryMs).unref();
  const readSoon = gathered(readMany);
  return {
    opened,
    use: (key) => index.use(key, clock()),
    read: (key) => (closed || resting('read') ? undefined : readSoon(key)),
    put: (variant) => {
      if (!closed && canBeStored(variant)) line.add(variant);
    },
    close: async () => {
      closed = true;
      clearInterval(timer);
      await opened;
      await writing;
      if (somethingIsDue()) while ((await writeBatch()) && line.length > 0);
      await disk.close();
    },
  };
}

/** SQLite would take an empty body for none, and some keys for others. */
function canBeStored({ key, body }: Outgoing): boolean {
  return body.length > 0 && key.isWellFormed() && !key.includes('\0');
}
