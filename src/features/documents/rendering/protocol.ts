// The messages between the main thread and a thread that renders documents.

import type { Problem, ProblemCode } from '../../../lib/problem.ts';
import type { RenderOptions } from '../forms/document-form.ts';
import type { DocumentForm } from '../forms/render-document.ts';
import type { DocumentHead, DocumentSamples } from '../rules/document-table.ts';

export type RenderRequest = {
  readonly form: DocumentForm;
  readonly head: DocumentHead;
  readonly samples: DocumentSamples;
  readonly options: RenderOptions;
};

/** The thread answers each request once. An expected refusal is sent by its parts: an error loses its class on the way. */
export type RenderAnswer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'problem'; readonly code: ProblemCode; readonly details: Problem['details'] }
  | { readonly kind: 'defect'; readonly error: unknown };
