// The thread that owns the cache's file, seen from the main thread: one request after the other.

import type { Worker } from 'node:worker_threads';
import type { Answer, Failure, Reply, Request, ThreadSettings } from './protocol.ts';
import { startThread } from './start-thread.ts';

export class DiskFailure extends Error {
  override name = 'DiskFailure';
  readonly busy: boolean;
  /** Nothing that was known of the file holds any more. */
  readonly closed: boolean;

  constructor({ message, busy, closed }: Failure) {
    super(message);
    this.busy = busy;
    this.closed = closed;
  }
}

export type Disk = {
  /** Rejects with DiskFailure. A thread that has died is started again with the next request. */
  ask(request: Request): Promise<Answer>;
  /** Once it has done what it was asked. */
  close(): Promise<void>;
};

type Waiter = { resolve(answer: Answer): void; reject(error: DiskFailure): void };

export function diskOf(settings: ThreadSettings): Disk {
  let worker: Worker | undefined;
  let gone: Promise<void> = Promise.resolve();
  // Oldest first, as they are answered.
  let waiting: Waiter[] = [];
  let closing = false;

  const settle = (reply: Reply): void => {
    const waiter = waiting.shift();
    // Only who waits for an answer keeps the process.
    if (waiting.length === 0 && !closing) worker?.unref();
    if ('answer' in reply) waiter?.resolve(reply.answer);
    else waiter?.reject(new DiskFailure(reply.failure));
  };
  const end = (dead: Worker, error: Error): void => {
    if (worker !== dead) return;
    worker = undefined;
    for (const { reject } of waiting) reject(new DiskFailure({ message: error.message, busy: false, closed: true }));
    waiting = [];
  };
  const start = (): Worker => {
    const started = startThread(new URL('./variant-thread.ts', import.meta.url), { name: 'image cache', settings });
    started.on('message', settle);
    started.on('error', (error) => end(started, error as Error));
    gone = new Promise((resolve) => {
      started.on('exit', () => {
        end(started, new Error('the thread has ended'));
        resolve();
      });
    });
    return started;
  };
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        try {
          worker ??= start();
          worker.postMessage(request, request.kind === 'write' ? [request.variants.bodies.buffer as ArrayBuffer] : []);
          waiting.push({ resolve, reject });
          worker.ref();
        } catch (error) {
          reject(new DiskFailure({ message: String(error), busy: false, closed: worker === undefined }));
        }
      }),
    close: async () => {
      closing = true;
      worker?.ref();
      worker?.postMessage('close');
      await gone;
    },
  };
}
