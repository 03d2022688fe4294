// Prepares a form of a document: who may have it, a place among those that render, the samples, the bytes.

import type { ManagerContext } from '../../http/context/operation-context.ts';
import { PreparedFile } from '../../http/prepared-file.ts';
import type { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { Problem } from '../../lib/problem.ts';
import { recordExport } from '../audit/record-export.ts';
import { htmlContentSecurityPolicy } from './forms/html-style.ts';
import type { DocumentForm } from './forms/render-document.ts';
import { readDocument, type DocumentRequest, type ReadDocument } from './read-document.ts';
import type { DocumentRenderer } from './rendering/document-renderer.ts';
import type { DocumentHead } from './rules/document-table.ts';
import { formatFileHeader } from './rules/file-name.ts';

export type PrepareDocumentDependencies = {
  readonly renderer: DocumentRenderer;
  readonly renderLimit: ConcurrencyLimit;
};

export type RenderedDocument = ReadDocument & { readonly body: Uint8Array };

export async function prepareDocument(
  context: ManagerContext,
  request: DocumentRequest,
  form: DocumentForm,
  dependencies: PrepareDocumentDependencies,
): Promise<PreparedFile> {
  const { head, body } = await renderInTurn(context, request, { form }, dependencies);
  return createFile(form, head, body);
}

type RenderOptions = { readonly form: DocumentForm; readonly width?: number };

/**
 * The bytes are all there before the place is free again: a slow client holds none. One that has gone away leaves the queue,
 * and ends what is being rendered for it.
 */
export function renderInTurn(
  context: ManagerContext,
  request: DocumentRequest,
  { form, width }: RenderOptions,
  { renderer, renderLimit }: PrepareDocumentDependencies,
): Promise<RenderedDocument> {
  const { tenant, principal, clientSignal } = context;
  const render = async (): Promise<RenderedDocument> => {
    const document = await context.read((db) => readDocument(db, request));
    const deadlineSignal = context.createDeadlineSignal();
    const signal = AbortSignal.any([deadlineSignal, clientSignal]);
    const rendered = renderer
      .render(form, document.head, document.samples, { width, signal })
      .catch((error: unknown) => {
        throw error === deadlineSignal.reason ? createTimeoutProblem(error) : error;
      });
    const [body] = await Promise.all([
      rendered,
      exportForms.has(form) &&
        recordExport(context, {
          object: document.head.documentKid,
          bankId: request.document.bankId,
          exported: { format: form },
        }),
    ]);
    return { ...document, body };
  };
  return renderLimit.run(render, [tenant.name, String(principal.managerId)], clientSignal);
}

const exportForms: ReadonlySet<DocumentForm> = new Set<DocumentForm>(['csv', 'xls']);

const createTimeoutProblem = (cause: unknown): Problem =>
  new Problem('document-busy', { detail: 'The document could not be prepared in time.', retryAfterSeconds: 10, cause });

const mediaTypes: Readonly<Record<DocumentForm, string | undefined>> = {
  // As the client prefers.
  json: undefined,
  html: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xls: 'application/vnd.ms-excel',
  svg: 'image/svg+xml',
};

export function createFile(form: DocumentForm, head: DocumentHead, body: Uint8Array): PreparedFile {
  const mediaType = mediaTypes[form];
  return new PreparedFile({
    body,
    ...(mediaType === undefined ? {} : { mediaType }),
    headers: {
      'x-document-complete': String(head.finished),
      'content-disposition': formatFileHeader(form, head),
      ...(form === 'html' ? { 'content-security-policy': htmlContentSecurityPolicy } : {}),
    },
  });
}
