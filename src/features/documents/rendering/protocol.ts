// Defines the messages between the main thread and a thread that renders documents.

import type { Problem, ProblemCode } from '../../../lib/problem.ts';
import type { DocumentFormatOptions } from '../formats/document-format.ts';
import type { DocumentFormat } from '../formats/render-document.ts';
import type { DocumentHead, DocumentSamples } from '../rules/document-table.ts';

export type RenderRequest = {
  readonly format: DocumentFormat;
  readonly head: DocumentHead;
  readonly samples: DocumentSamples;
  readonly options: DocumentFormatOptions;
};

/**
 * The thread answers each request once. A Problem is sent as its parts, because messages lose the class of an error.
 */
export type RenderAnswer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'problem'; readonly code: ProblemCode; readonly details: Problem['details'] }
  | { readonly kind: 'defect'; readonly error: unknown };
