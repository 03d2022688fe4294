// Renders documents in a few worker threads, so that a large one does not delay other requests. Threads start when they
// are needed and end when they are idle for a while.

import { Problem, type PlainProblemCode } from '../../../lib/problem.ts';
import { ThreadPool } from '../../../lib/threads/thread-pool.ts';
import type { DocumentFormat } from '../formats/render-document.ts';
import type { DocumentHead, DocumentSamples } from '../rules/document-table.ts';
import type { RenderAnswer, RenderRequest } from './protocol.ts';

type DocumentRenderOptions = {
  /** The width of a graph in pixels; 1200 by default. */
  readonly width?: number | undefined;
  /** Aborts the work at any point; `render` rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
};

export type DocumentRenderer = {
  /**
   * The bytes of a document in one format; texts are UTF-8. Rejects with the Problem `document-too-large`, and for graphs
   * with `no-numeric-data` or `too-many-series`.
   */
  render(
    format: DocumentFormat,
    head: DocumentHead,
    samples: DocumentSamples,
    options?: DocumentRenderOptions,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** The number of busy and idle threads. */
  threadCount(): number;
  /** Ends all threads. Running renderings are rejected. */
  close(): Promise<void>;
};

const defaultGraphWidth = 1200;

type DocumentRendererOptions = {
  readonly maxThreads?: number;
  /** A thread without work ends after this time. */
  readonly idleMs?: number;
  /** The heap of a thread. A document at its limits needs less. */
  readonly maxHeapMegabytes?: number;
};

export function createDocumentRenderer({
  maxThreads = 2,
  idleMs = 60_000,
  maxHeapMegabytes = 1024,
}: DocumentRendererOptions = {}): DocumentRenderer {
  const threads = new ThreadPool({
    thread: {
      module: new URL('./worker.ts', import.meta.url),
      name: 'documents',
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    },
    maxThreads,
    idleMs,
  });
  return {
    render: (format, head, samples, { width = defaultGraphWidth, signal } = {}) => {
      const request: RenderRequest = { format, head, samples, options: { width } };
      return threads.run(async (thread) => readAnswer(await thread.request(request, signal)), { signal });
    },
    threadCount: () => threads.count,
    close: () => threads.close(),
  };
}

function readAnswer(answer: RenderAnswer): Uint8Array<ArrayBuffer> {
  if (answer.kind === 'bytes') return answer.bytes;
  if (answer.kind === 'problem') throw new Problem(answer.code as PlainProblemCode, answer.details);
  throw new Error('a document could not be rendered', { cause: answer.error });
}
