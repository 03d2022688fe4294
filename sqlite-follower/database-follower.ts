// Copies continuously what is committed to a SQLite file: sometimes a base, which is the whole file, and each time a
// segment with what was committed since. The segments of a past hour become one file.

import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FollowedFile, UnfollowedFileError } from './followed-file.ts';
import { noLog, RewrittenLogError, type CommittedFrames, type WalPosition } from './read-committed.ts';
import { isSameLog } from './wal-format.ts';
import { formatMoment } from './choose-copy.ts';
import { CopyError } from './copy-error.ts';
import type { BaseHead } from './copy-lines.ts';
import { formatCopyTime } from './copy-names.ts';
import { defaultJoinLimits, type JoinLimits } from './join-periods.ts';
import { readLastCopied } from './last-copied.ts';
import { lockFile, type FileLock } from './lock-file.ts';
import { removeExpired, removeUnfinished } from './remove-expired.ts';
import { SegmentJoiner, type Log } from './segment-joiner.ts';
import { makeFolder, privateFolderMode } from './whole-file.ts';
import { writeBase, writeSegment, type CopyTarget, type Part } from './write-copy.ts';

type FollowLimits = {
  /** After so many frames more, what was copied is moved to the file. The program that writes it should do so later. */
  readonly checkpointFrames: number;
  /** From so many on, writers wait a moment, so that the log begins anew. */
  readonly handOverFrames: number;
  readonly handOverPauseMs: number;
  /** How long the log may become while nothing can be copied. Then the disk of the file is worth more than the copy. */
  readonly maxLogBytes: number;
  readonly joined: JoinLimits;
};

export const defaultFollowLimits = {
  checkpointFrames: 1000,
  handOverFrames: 8000,
  handOverPauseMs: 2000,
  joined: defaultJoinLimits,
} as const;

/** While writers wait, no more than this is read. */
const handOverBytes = 8 * 1_048_576;
const partBytes = 32 * 1_048_576;
const baseEveryMs = 86_400_000;
const baseRetryMs = 10_000;

type FollowInput = CopyTarget & {
  /** The SQLite file. */
  readonly file: string;
  readonly log: Log;
  readonly limits: FollowLimits;
  readonly keepMs: number | undefined;
  readonly now: () => number;
};

/**
 * What cannot be copied at the moment is copied later, as long as the write-ahead log still contains the data.
 * Otherwise a new generation begins, and the follower reports the gap.
 */
export class DatabaseFollower {
  readonly #input: FollowInput;
  #lock: FileLock | undefined;
  #file: FollowedFile | undefined;
  /** The generation that goes on; undefined where the next one has to begin. */
  #generation: string | undefined;
  #position: WalPosition = noLog;
  /** Whether the log has been read to its end since it cannot begin anew unnoticed. */
  #goesOn = false;
  /** The last part, the one with which the log began, and until when everything is in them. */
  #part = 0;
  #logBegan = 1;
  #untilMs = 0;
  #unwritten: Part[] = [];
  #baseAtMs: number | undefined;
  #baseDueAtMs = 0;
  #baseInWork: Promise<void> | undefined;
  readonly #joiner: SegmentJoiner;
  #writtenAtMs = 0;
  #handOverAtMs = 0;
  #checkpointed = 0;
  /** Until when the generation before can be restored. */
  #gapFromMs: number | undefined;

  constructor(input: FollowInput) {
    this.#input = input;
    const { folder, limits, log } = input;
    this.#joiner = new SegmentJoiner({ folder, limits: limits.joined, log });
  }

  /**
   * Locks the folder, and finds where an earlier run has ended. Throws CopyError where another process has the lock, or
   * where the last segment cannot be read.
   */
  async resume(): Promise<void> {
    const { folder } = this.#input;
    await makeFolder(folder);
    const lock = lockFile(join(folder, 'lock'), { creates: true });
    if (typeof lock === 'string') throw new CopyError('is written by another `backup follow`');
    this.#lock = lock;
    await removeUnfinished(folder);
    const last = await readLastCopied(this.#input);
    if (last === undefined) return;
    this.#generation = last.generation;
    this.#baseAtMs = last.baseAtMs;
    if (last.part === undefined) return this.#endGeneration();
    const { part, logBegan, untilMs } = last.part;
    [this.#part, this.#logBegan, this.#untilMs, this.#position] = [part, logBegan, untilMs, last.position];
  }

  /** Copies everything that was committed until now. Throws what keeps it from that; it can be called again. */
  async copy(): Promise<void> {
    try {
      await this.#copyOnce();
    } catch (error) {
      if (!(error instanceof RewrittenLogError)) throw error;
      // The generation has ended.
      await this.#copyOnce();
    }
  }

  async #copyOnce(): Promise<void> {
    try {
      const file = await this.#attach();
      await file.advance(() => this.#copyToEnd(file));
      await this.#tidy(file);
      await this.#writeUnwritten();
      await this.#beginDueBase(file);
      // A base removes expired files when it is written.
      if (this.#baseInWork === undefined) this.#joiner.beginDue(this.#writtenAtMs);
    } catch (error) {
      if (error instanceof RewrittenLogError) await this.#detach(true);
      else if (isOfDatabase(error) || this.#generation === undefined) await this.#detach(false);
      else await this.#letGoOfLongLog();
      throw error;
    }
  }

  /** Copies at each interval, and closes when it is stopped, after all that was committed until then. Throws a defect. */
  async copyUntilStopped(intervalMs: number, signal: AbortSignal): Promise<void> {
    const { log } = this.#input;
    let problem: string | undefined;
    for (let isLast = false; !isLast;) {
      const beganAtMs = performance.now();
      isLast = signal.aborted;
      const found = await this.#findProblem();
      if (found !== undefined && found !== problem) log.warn({ problem: found }, 'nothing can be copied');
      if (found === undefined && problem !== undefined) log.info({}, 'it is copied again');
      problem = found;
      if (!isLast) await pauseUnlessAborted(intervalMs - (performance.now() - beganAtMs), signal);
    }
    await this.close();
  }

  /** Says what keeps the file from being copied, and may pass. Throws a defect. */
  async #findProblem(): Promise<string | undefined> {
    try {
      await this.copy();
      return undefined;
    } catch (error) {
      const mayPass = isOfDatabase(error) || typeof (error as NodeJS.ErrnoException).code === 'string';
      if (!mayPass) throw error;
      return (error as Error).message;
    }
  }

  /** Waits for a base that is being written, and files that are being joined. */
  async settle(): Promise<void> {
    await this.#baseInWork;
    await this.#joiner.settle();
  }

  /** Leaves the log as it is, so that the next run can go on. */
  async close(): Promise<void> {
    await this.#joiner.close();
    await this.#detach(false);
    this.#lock?.close();
  }

  async #attach(): Promise<FollowedFile> {
    if (this.#file?.isReplaced() === true) await this.#detach(true);
    if (this.#file === undefined) {
      this.#file = new FollowedFile(this.#input.file);
      this.#checkpointed = 0;
      this.#goesOn = false;
      if (this.#position.header === undefined) this.#endGeneration();
    }
    if (this.#generation === undefined) await this.#beginGeneration();
    return this.#file;
  }

  #endGeneration(): void {
    if (this.#generation !== undefined && this.#baseAtMs !== undefined) this.#gapFromMs ??= this.#untilMs;
    this.#generation = undefined;
    this.#unwritten = [];
  }

  async #beginGeneration(): Promise<void> {
    const { folder, now } = this.#input;
    const generation = formatCopyTime(now());
    await mkdir(join(folder, generation), { mode: privateFolderMode });
    this.#generation = generation;
    this.#goesOn = true;
    [this.#part, this.#logBegan, this.#position, this.#baseAtMs, this.#baseDueAtMs] = [0, 1, noLog, undefined, 0];
  }

  async #detach(endsGeneration: boolean): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    file?.close();
    await this.#baseInWork;
    if (endsGeneration) this.#endGeneration();
  }

  async #copyToEnd(file: FollowedFile): Promise<void> {
    await this.#writeUnwritten();
    for (;;) {
      const { isAtEnd } = this.#read(file, partBytes);
      await this.#writeUnwritten();
      if (isAtEnd) return;
    }
  }

  #read(file: FollowedFile, maxBytes: number): CommittedFrames {
    const untilMs = this.#input.now();
    const read = file.read(this.#position, maxBytes);
    // Nobody has kept the log from beginning anew until now: what it had before may have been overwritten unread.
    if (!this.#goesOn && !isSameLog(read.to.header, this.#position.header))
      throw new RewrittenLogError('the write-ahead log has begun anew while nobody followed it');
    if (read.isAtEnd) this.#goesOn = true;
    this.#take(read, untilMs);
    return read;
  }

  /** `untilMs` is when reading began. */
  #take({ from, to, bytes, isAtEnd }: CommittedFrames, untilMs: number): void {
    const sinceMs = this.#untilMs;
    if (isAtEnd) this.#untilMs = untilMs;
    if (!isSameLog(to.header, this.#position.header)) this.#checkpointed = 0;
    this.#position = to;
    if (bytes.length === 0 || to.header === undefined) return;
    this.#part += 1;
    if (from.place.frames === 0) this.#logBegan = this.#part;
    const head = {
      part: this.#part,
      logBegan: this.#logBegan,
      sinceMs,
      untilMs: this.#untilMs,
      readMs: this.#input.now(),
      header: to.header.bytes.toString('base64'),
      from: from.place,
      to: to.place,
      bytes: bytes.length,
    };
    this.#unwritten.push({ head, frames: bytes });
  }

  async #writeUnwritten(): Promise<void> {
    for (let next = this.#unwritten[0]; next !== undefined; next = this.#unwritten[0]) {
      await writeSegment(this.#input, this.#generation ?? '', next);
      this.#unwritten.shift();
      this.#writtenAtMs = next.head.readMs;
    }
  }

  /** Lets the log become no longer than it has to be. */
  async #tidy(file: FollowedFile): Promise<void> {
    const { frames } = this.#position.place;
    const { limits, now } = this.#input;
    const { checkpointFrames, handOverFrames, handOverPauseMs } = limits;
    if (frames - this.#checkpointed < checkpointFrames && frames < handOverFrames) return;
    this.#checkpointed = frames;
    file.checkpoint();
    if (frames < handOverFrames || Math.abs(now() - this.#handOverAtMs) < handOverPauseMs) return;
    // So that writers wait only for what is written from here on.
    await file.advance(() => this.#copyToEnd(file));
    if (file.handOver(() => this.#readRest(file))) this.#handOverAtMs = now();
  }

  /** False, and nothing is read, where too much has been written meanwhile. */
  #readRest(file: FollowedFile): boolean {
    const untilMs = this.#input.now();
    const read = file.read(this.#position, handOverBytes);
    if (!read.isAtEnd || read.bytes.length > handOverBytes) return false;
    this.#take(read, untilMs);
    return true;
  }

  async #beginDueBase(file: FollowedFile): Promise<void> {
    const now = this.#input.now();
    const isDue = this.#baseAtMs === undefined || Math.abs(now - this.#baseAtMs) >= baseEveryMs;
    if (!isDue || this.#baseInWork !== undefined || now < this.#baseDueAtMs) return;
    this.#baseDueAtMs = now + baseRetryMs;
    const copy = file.beginCopy();
    try {
      // What is in the copy already is in the parts as well from here on.
      await file.advance(() => this.#copyToEnd(file));
    } catch (error) {
      copy.end();
      throw error;
    }
    const first = this.#position.place.frames === 0 ? this.#part + 1 : this.#logBegan;
    const generation = this.#generation ?? '';
    const head = { generation, first, last: this.#part, atMs: this.#input.now(), untilMs: this.#untilMs };
    this.#baseInWork = this.#writeBase(head, copy.pieces)
      .catch((error: unknown) => {
        if (this.#file === undefined) return;
        const problem = error instanceof Error ? error.message : String(error);
        this.#input.log.warn({ problem }, 'no base could be written');
      })
      .finally(() => {
        copy.end();
        this.#baseInWork = undefined;
      });
  }

  async #writeBase(head: Omit<BaseHead, 'tenant'>, pieces: AsyncIterable<Buffer>): Promise<void> {
    const { folder, log, keepMs, now } = this.#input;
    await writeBase(this.#input, head, pieces);
    this.#baseAtMs = head.atMs;
    log.info({ generation: head.generation, at: formatMoment(head.atMs) }, 'a base was written');
    if (this.#gapFromMs !== undefined)
      log.warn(
        { from: formatMoment(this.#gapFromMs), to: formatMoment(head.atMs) },
        'nothing between these times can be restored',
      );
    this.#gapFromMs = undefined;
    if (keepMs === undefined) return;
    await this.#joiner.settle();
    for (const removed of await removeExpired(folder, now() - keepMs)) log.info({ removed }, 'removed');
  }

  async #letGoOfLongLog(): Promise<void> {
    const { file, limits, log } = this.#input;
    if (this.#file === undefined || sizeOf(`${file}-wal`) <= limits.maxLogBytes) return;
    await this.#detach(true);
    log.warn({}, 'the write-ahead log has become too long to wait: it is no longer held');
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** What is wrong with the followed file, and not with the target. */
function isOfDatabase(error: unknown): boolean {
  if (error instanceof UnfollowedFileError || error instanceof RewrittenLogError) return true;
  return typeof (error as { readonly errcode?: unknown }).errcode === 'number';
}

async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(Math.max(0, ms), undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
