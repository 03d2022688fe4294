// A pool of a few threads, for work that would block the event loop. Threads start when they are needed, and end when they
// have been idle for a while.

import { FairQueue, type FairQueueOptions, type Turn } from '../queues/fair-queue.ts';
import { WorkerThread, type WorkerThreadOptions } from './worker-thread.ts';

type ThreadPoolOptions = Pick<FairQueueOptions, 'maxWaitMs' | 'createRefusal'> & {
  readonly thread: WorkerThreadOptions;
  readonly maxThreads: number;
  /** A thread without work ends after this time; without it, at once. */
  readonly idleMs?: number;
};

export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #queue: FairQueue;
  readonly #threads = new Set<WorkerThread>();
  readonly #idle = new Map<WorkerThread, NodeJS.Timeout>();
  readonly #closing = new AbortController();

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#queue = new FairQueue({ ...options, maxConcurrent: options.maxThreads });
  }

  /** How many there are, at work and idle. */
  get count(): number {
    return this.#threads.size;
  }

  /** Runs the work with a thread of its own. The signal ends the waiting only. */
  run<T>(work: (thread: WorkerThread) => Promise<T>, turn: Turn = {}): Promise<T> {
    const closing = this.#closing.signal;
    const signal = turn.signal === undefined ? closing : AbortSignal.any([turn.signal, closing]);
    const runInThread = async (): Promise<T> => {
      const thread = this.#takeIdle() ?? this.#start();
      try {
        return await work(thread);
      } finally {
        await this.#release(thread);
      }
    };
    return this.#queue.run(runInThread, { ...turn, signal });
  }

  /** Ends all threads. Works that wait, and those that come later, are rejected. */
  async close(): Promise<void> {
    this.#closing.abort(new Error(`the threads of ${this.#options.thread.name} are closed`));
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.all(Array.from(this.#threads, (thread) => thread.end()));
    this.#threads.clear();
  }

  #start(): WorkerThread {
    const thread = new WorkerThread(this.#options.thread);
    this.#threads.add(thread);
    return thread;
  }

  /** The one that was released last. Those that have ended meanwhile are removed. */
  #takeIdle(): WorkerThread | undefined {
    for (const [thread, timer] of [...this.#idle].toReversed()) {
      clearTimeout(timer);
      this.#idle.delete(thread);
      if (!thread.hasEnded) return thread;
      this.#threads.delete(thread);
    }
    return undefined;
  }

  async #release(thread: WorkerThread): Promise<void> {
    const { idleMs } = this.#options;
    // The next work begins only when the memory of this one is free.
    if (idleMs === undefined) await this.#end(thread);
    else if (thread.hasEnded || this.#closing.signal.aborted) void this.#end(thread);
    else this.#idle.set(thread, setTimeout(() => void this.#end(thread), idleMs).unref());
  }

  async #end(thread: WorkerThread): Promise<void> {
    this.#idle.delete(thread);
    this.#threads.delete(thread);
    await thread.end();
  }
}
