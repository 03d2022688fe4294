// Runs the thread that renders documents, one after the other.

import { parentPort } from 'node:worker_threads';
import { Problem } from '../../../lib/problem.ts';
import { renderDocument } from '../formats/render-document.ts';
import type { RenderAnswer, RenderRequest } from './protocol.ts';

parentPort?.on('message', ({ format, head, samples, options }: RenderRequest) => {
  try {
    const bytes = renderDocument(format, head, samples, options);
    // Transferred without a copy, because the bytes share their memory with no other data.
    parentPort?.postMessage({ kind: 'bytes', bytes } satisfies RenderAnswer, [bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage(toAnswer(error));
  }
});

function toAnswer(error: unknown): RenderAnswer {
  if (!(error instanceof Problem)) return { kind: 'defect', error };
  return { kind: 'problem', code: error.code, details: error.details };
}
