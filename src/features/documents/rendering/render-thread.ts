// A thread that renders documents, as the main thread sees it.

import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Problem, type PlainProblemCode } from '../../../lib/problem.ts';
import type { RenderAnswer, RenderRequest } from './protocol.ts';

export class RenderThread {
  readonly #worker: Worker;
  #hasEnded = false;

  constructor(maxHeapMegabytes: number) {
    const directory = getCompileCacheDir();
    const compileCache = directory === undefined ? undefined : dirname(directory);
    this.#worker = new Worker(new URL('./thread.mjs', import.meta.url), {
      name: 'documents',
      workerData: { compileCache },
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    });
    // Only a document that is being rendered keeps the process alive.
    this.#worker.unref();
    const onEnd = (): void => {
      this.#hasEnded = true;
    };
    this.#worker.on('error', onEnd).on('exit', onEnd);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** One at a time. When the signal aborts, the thread is ended in the middle of its work. */
  async render(request: RenderRequest, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const worker = this.#worker;
    const { promise, resolve, reject } = Promise.withResolvers<RenderAnswer>();
    const onExit = (): void => reject(new Error('the thread that rendered a document has ended'));
    const onAbort = (): void => {
      reject(signal?.reason);
      void this.end();
    };
    worker.ref();
    worker.on('message', resolve).on('messageerror', reject).on('error', reject).on('exit', onExit);
    signal?.addEventListener('abort', onAbort);
    try {
      worker.postMessage(request);
      return readAnswer(await promise);
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
}

function readAnswer(answer: RenderAnswer): Uint8Array<ArrayBuffer> {
  if (answer.kind === 'bytes') return answer.bytes;
  if (answer.kind === 'problem') throw new Problem(answer.code as PlainProblemCode, answer.details);
  throw new Error('a document could not be rendered', { cause: answer.error });
}
