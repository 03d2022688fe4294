// Writes the lines of the log to a file descriptor, in batches.

import { write, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { RecentLogLines } from './recent-log-lines.ts';

export type LogDestination = {
  /** Takes a line with its end. */
  write(line: string): void;
};

type LogDestinationOptions = {
  /** Collects the lines. */
  readonly lines: RecentLogLines;
  /** Hears of lines that were lost, once lines can be written again. */
  readonly onRecovered: (lostLines: number) => void;
};

/** Batches end after this time, or when they are full: a system call for each line would cost more than the line itself. */
const batchIntervalMs = 200;
/** What a reader who is slow may leave waiting. */
const maxWaitingBytes = 1_048_576;
const retryDelayMs = 50;
/** At the end of the process, for a reader who is slow. */
const maxRetriesAtExit = 10;

/**
 * The service never waits for the log and never ends because of the log: where nobody reads any more, or the disk is
 * full, lines are lost. The service reports the number of lost lines as soon as writing works again. (The destination
 * of pino tries a failed write again for ever when the process ends.)
 */
export function createLogDestination(fd: number, { lines, onRecovered }: LogDestinationOptions): LogDestination {
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let lostLines = 0;
  let isWriting = false;

  const lose = (batch: Buffer): void => void (lostLines += batch.toString('latin1').split('\n').length - 1);
  const writeWaiting = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      waitingBytes -= batch.length;
      try {
        await writeAll(fd, batch);
        if (lostLines > 0) onRecovered(lostLines);
        lostLines = 0;
      } catch {
        // There is nowhere to tell it.
        lose(batch);
      }
    }
    isWriting = false;
  };
  lines.onBatch((batch) => {
    if (waitingBytes > maxWaitingBytes) {
      lose(batch);
      return;
    }
    waiting.push(batch);
    waitingBytes += batch.length;
    void writeWaiting();
  });

  // A service whose log is silent needs neither.
  let isStarted = false;
  const start = (): void => {
    isStarted = true;
    setInterval(() => lines.endBatch(), batchIntervalMs).unref();
    process.once('exit', () => {
      // No other write begins before this one.
      isWriting = true;
      lines.endBatch();
      try {
        writeAllSync(fd, Buffer.concat(waiting));
      } catch {
        // Nobody reads it.
      }
    });
  };
  return {
    write: (line) => {
      if (!isStarted) start();
      lines.write(line);
    },
  };
}

const writeBytes = promisify(write);

const isBusy = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EAGAIN';

async function writeAll(fd: number, bytes: Buffer): Promise<void> {
  for (let index = 0; index < bytes.length;)
    try {
      const { bytesWritten } = await writeBytes(fd, bytes, index, bytes.length - index, null);
      index += bytesWritten;
    } catch (error) {
      if (!isBusy(error)) throw error;
      await pause(retryDelayMs, undefined, { ref: false });
    }
}

function writeAllSync(fd: number, bytes: Buffer): void {
  const sleepBuffer = new Int32Array(new SharedArrayBuffer(4));
  let retries = 0;
  for (let index = 0; index < bytes.length;)
    try {
      index += writeSync(fd, bytes, index);
    } catch (error) {
      retries += 1;
      if (!isBusy(error) || retries > maxRetriesAtExit) throw error;
      Atomics.wait(sleepBuffer, 0, 0, retryDelayMs);
    }
}
