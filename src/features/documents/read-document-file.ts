// Prepares a document in one format: waits in the queue, reads the document, renders it, and names the file.

import type { KidOf } from '../../lib/kid.ts';
import type { FieldSelection } from './rules/field-selection.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { queueKeyOf } from '../../http/context/principal.ts';
import type { PreparedFile } from '../../http/representations/results.ts';
import { Problem } from '../../lib/problem.ts';
import type { FairQueue } from '../../lib/queues/fair-queue.ts';
import { formatContentDisposition, toFileNamePart } from '../../lib/text/content-disposition.ts';
import { LocalClock } from '../../lib/time/local-clock.ts';
import { recordExport } from '../audit/record-export.ts';
import { htmlContentSecurityPolicy } from './formats/html-style.ts';
import type { DocumentFormat } from './formats/render-document.ts';
import { createDocumentRequest, readDocument, type DocumentRequest, type ReadDocument } from './read-document.ts';
import type { DocumentRenderer } from './rendering/document-renderer.ts';
import type { DocumentHead } from './rules/document-table.ts';

export type PrepareDocumentDependencies = { readonly renderer: DocumentRenderer; readonly renderQueue: FairQueue };

type RenderedDocument = ReadDocument & { readonly body: Uint8Array };

export type DocumentFileInput = { readonly documentKid: KidOf<'document'>; readonly selection: FieldSelection };

export async function prepareDocument(
  context: ManagerContext,
  { documentKid, selection }: DocumentFileInput,
  format: DocumentFormat,
  dependencies: PrepareDocumentDependencies,
): Promise<PreparedFile> {
  const request = createDocumentRequest(context, documentKid, selection);
  const { head, body } = await renderInTurn(context, request, { format }, dependencies);
  return createFile(format, head, body);
}

/**
 * The next document is rendered as soon as all bytes of this one are available, so a slow client delays nobody. A
 * client that disconnects leaves the queue, and its rendering is aborted.
 */
export function renderInTurn(
  context: ManagerContext,
  request: DocumentRequest,
  { format, width }: { readonly format: DocumentFormat; readonly width?: number },
  { renderer, renderQueue }: PrepareDocumentDependencies,
): Promise<RenderedDocument> {
  const { tenant, principal, clientSignal } = context;
  const render = async (): Promise<RenderedDocument> => {
    const document = await context.read((db) => readDocument(db, request));
    const deadlineSignal = context.createDeadlineSignal();
    const signal = AbortSignal.any([deadlineSignal, clientSignal]);
    const rendered = renderer
      .render(format, document.head, document.samples, { width, signal })
      .catch((error: unknown) => {
        throw error === deadlineSignal.reason ? createTimeoutProblem(error) : error;
      });
    const [body] = await Promise.all([
      rendered,
      exportFormats.has(format) &&
        recordExport(context, {
          object: document.head.documentKid,
          bankId: request.document.bankId,
          exported: { format },
        }),
    ]);
    return { ...document, body };
  };
  return renderQueue.run(render, { key: queueKeyOf(tenant, principal), signal: clientSignal });
}

const exportFormats: ReadonlySet<DocumentFormat> = new Set<DocumentFormat>(['csv', 'xls']);

const createTimeoutProblem = (cause: unknown): Problem =>
  new Problem('document-busy', { detail: 'The document could not be prepared in time.', retryAfterSeconds: 10, cause });

const mediaTypes: Readonly<Record<DocumentFormat, string | undefined>> = {
  // The media type is negotiated with the client.
  json: undefined,
  html: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xls: 'application/vnd.ms-excel',
  svg: 'image/svg+xml',
};

export function createFile(format: DocumentFormat, head: DocumentHead, body: Uint8Array): PreparedFile {
  const mediaType = mediaTypes[format];
  return {
    body,
    ...(mediaType === undefined ? {} : { mediaType }),
    headers: {
      'x-document-complete': String(head.finished),
      'content-disposition': formatFileHeader(format, head),
      ...(format === 'html' ? { 'content-security-policy': htmlContentSecurityPolicy } : {}),
    },
  };
}

/** CSV and Excel files are saved, the others shown. */
const attachments = new Set(['csv', 'xls']);

function formatFileHeader(extension: string, head: DocumentHead): string {
  const type = attachments.has(extension) ? 'attachment' : 'inline';
  return formatContentDisposition(type, `${formatFileName(head)}.${extension}`);
}

/** `Washer 3 2026-06-15 10-59 D5312` */
function formatFileName({ unitName, documentKid, timeZone, fromMs2000 }: DocumentHead): string {
  const [day = '', time = ''] = new LocalClock(timeZone).formatTime(fromMs2000).split('T');
  const [, tag = ''] = /-(D\d+)$/.exec(documentKid) ?? [];
  return [toFileNamePart(unitName), day, time.slice(0, 5).replace(':', '-'), tag]
    .filter((part) => part !== '')
    .join(' ');
}
