// Renders documents in a few threads of their own, so that a large one keeps no other request waiting. Threads start
// when they are needed and end when they are idle for a while.

import type { DocumentForm } from '../forms/render-document.ts';
import type { DocumentHead, DocumentSamples } from '../rules/document-table.ts';
import { RenderThread } from './render-thread.ts';

export type DocumentRenderOptions = {
  /** Pixels, of a chart; 1200 unless told otherwise. */
  readonly width?: number | undefined;
  /** Ends the work, wherever it is; `render` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
};

export type DocumentRenderer = {
  /**
   * The bytes of a document in one form; texts are UTF-8. Rejects with the Problem `document-too-large`, and for charts
   * with `no-numeric-data` or `too-many-series`.
   */
  render(
    form: DocumentForm,
    head: DocumentHead,
    samples: DocumentSamples,
    options?: DocumentRenderOptions,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** Those at work and those that are idle. */
  threadCount(): number;
  /** Ends all threads. What is being rendered is rejected. */
  close(): Promise<void>;
};

const defaultChartWidth = 1200;

export type DocumentRendererOptions = {
  readonly maxThreads?: number;
  /** A thread without work ends after this time. */
  readonly idleMs?: number;
  /** Of a thread. A document at its limits takes less. */
  readonly maxHeapMegabytes?: number;
};

export function createDocumentRenderer({
  maxThreads = 2,
  idleMs = 60_000,
  maxHeapMegabytes = 1024,
}: DocumentRendererOptions = {}): DocumentRenderer {
  const threads = new ThreadPool({ maxThreads, idleMs, createThread: () => new RenderThread(maxHeapMegabytes) });
  return {
    render: async (form, head, samples, { width = defaultChartWidth, signal } = {}) => {
      const thread = await threads.acquire(signal);
      try {
        signal?.throwIfAborted();
        return await thread.render({ form, head, samples, options: { width } }, signal);
      } finally {
        threads.release(thread);
      }
    },
    threadCount: () => threads.count,
    close: () => threads.close(),
  };
}

type WaitingRequest = { readonly give: (thread: RenderThread) => void; readonly refuse: (reason: unknown) => void };

type ThreadPoolOptions = {
  readonly maxThreads: number;
  readonly idleMs: number;
  readonly createThread: () => RenderThread;
};

class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<RenderThread>();
  readonly #idle = new Map<RenderThread, NodeJS.Timeout>();
  readonly #waiting = new Set<WaitingRequest>();
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#threads.size;
  }

  /** An idle thread, a new one, or the next one that is released. */
  async acquire(signal: AbortSignal | undefined): Promise<RenderThread> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new Error('the renderer of documents is closed');
    return this.#takeIdle() ?? this.#start() ?? this.#wait(signal);
  }

  release(thread: RenderThread): void {
    if (thread.hasEnded || this.#isClosed) this.#threads.delete(thread);
    else this.#keepIdle(thread);
    const [next] = this.#waiting;
    if (next === undefined || this.#isClosed) return;
    const free = this.#takeIdle() ?? this.#start();
    if (free !== undefined) next.give(free);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting) refuse(new Error('the renderer of documents is closed'));
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.all(Array.from(this.#threads, (thread) => thread.end()));
    this.#threads.clear();
  }

  #start(): RenderThread | undefined {
    if (this.#threads.size >= this.#options.maxThreads) return undefined;
    const thread = this.#options.createThread();
    this.#threads.add(thread);
    return thread;
  }

  /** The one that was released last; one that has ended meanwhile is forgotten. */
  #takeIdle(): RenderThread | undefined {
    for (const [thread, timer] of [...this.#idle].toReversed()) {
      clearTimeout(timer);
      this.#idle.delete(thread);
      if (!thread.hasEnded) return thread;
      this.#threads.delete(thread);
    }
    return undefined;
  }

  #keepIdle(thread: RenderThread): void {
    const timer = setTimeout(() => {
      this.#idle.delete(thread);
      this.#threads.delete(thread);
      void thread.end();
    }, this.#options.idleMs);
    this.#idle.set(thread, timer.unref());
  }

  #wait(signal: AbortSignal | undefined): Promise<RenderThread> {
    const { promise, resolve, reject } = Promise.withResolvers<RenderThread>();
    const leave = (): void => {
      this.#waiting.delete(waiting);
      signal?.removeEventListener('abort', onAbort);
    };
    const waiting: WaitingRequest = {
      give: (thread) => {
        leave();
        resolve(thread);
      },
      refuse: (reason) => {
        leave();
        reject(reason);
      },
    };
    const onAbort = (): void => waiting.refuse(signal?.reason);
    this.#waiting.add(waiting);
    signal?.addEventListener('abort', onAbort);
    return promise;
  }
}
