// The thread that renders documents, one after the other.

import { parentPort } from 'node:worker_threads';
import { Problem } from '../../../lib/problem.ts';
import { renderDocument } from '../forms/render-document.ts';
import type { RenderAnswer, RenderRequest } from './protocol.ts';

parentPort?.on('message', ({ form, head, samples, options }: RenderRequest) => {
  try {
    const bytes = renderDocument(form, head, samples, options);
    // Handed over as it is: it has its memory for itself.
    parentPort?.postMessage({ kind: 'bytes', bytes } satisfies RenderAnswer, [bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage(toAnswer(error));
  }
});

function toAnswer(error: unknown): RenderAnswer {
  if (!(error instanceof Problem)) return { kind: 'defect', error };
  return { kind: 'problem', code: error.code, details: error.details };
}
