// A thread that runs a module of ours and answers its messages, one at a time.

import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker, type ResourceLimits } from 'node:worker_threads';

export type WorkerThreadOptions = {
  /** Listens to messages, and sends one answer to each. */
  readonly module: URL;
  readonly name: string;
  readonly resourceLimits: ResourceLimits;
  /** What the module finds in `workerData`. */
  readonly data?: Readonly<Record<string, unknown>>;
};

export function startWorker({ module, name, resourceLimits, data }: WorkerThreadOptions): Worker {
  // What enableCompileCache takes. The directory in use ends with its version.
  const directory = getCompileCacheDir();
  const compileCache = directory === undefined ? undefined : dirname(directory);
  return new Worker(new URL('./worker-thread.mjs', import.meta.url), {
    name,
    workerData: { ...data, module: module.href, compileCache },
    // A thread needs neither the flags nor the environment of the process.
    execArgv: [],
    env: {},
    resourceLimits,
  });
}

export class WorkerThread {
  readonly #worker: Worker;
  readonly #name: string;
  #hasEnded = false;

  constructor(options: WorkerThreadOptions) {
    this.#name = options.name;
    this.#worker = startWorker(options);
    // Only a thread at work keeps the process alive.
    this.#worker.unref();
    const onEnd = (): void => {
      this.#hasEnded = true;
    };
    this.#worker.on('error', onEnd).on('exit', onEnd);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends a message and returns the answer. When the signal aborts, the thread is ended in the middle of its work. */
  async request<Answer>(message: unknown, signal?: AbortSignal): Promise<Answer> {
    const worker = this.#worker;
    if (this.#hasEnded) throw this.#createEndError();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const onExit = (): void => reject(this.#createEndError());
    const onAbort = (): void => {
      reject(signal?.reason);
      void this.end();
    };
    worker.ref();
    worker.on('message', resolve).on('messageerror', reject).on('error', reject).on('exit', onExit);
    signal?.addEventListener('abort', onAbort);
    try {
      worker.postMessage(message);
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      worker.off('message', resolve).off('messageerror', reject).off('error', reject).off('exit', onExit);
      worker.unref();
    }
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#worker.terminate();
  }

  #createEndError(): Error {
    return new Error(`the thread of ${this.#name} has ended`);
  }
}
