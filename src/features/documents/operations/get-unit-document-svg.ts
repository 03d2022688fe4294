// GetUnitDocumentSvg: answers the samples of a document as graphs. Those of a finished document are drawn once a day.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { PreparedFile } from '../../../http/representations/results.ts';
import { formatKid } from '../../../lib/kid.ts';
import type { SharedReads } from '../../../lib/caches/shared-reads.ts';
import {
  createFile,
  renderInTurn,
  type DocumentFileInput,
  type PrepareDocumentDependencies,
} from '../read-document-file.ts';
import { createDocumentRequest, createHead, readDocumentState, type DocumentState } from '../read-document.ts';
import { isPast } from '../rules/document-bounds.ts';
import type { GraphCache, GraphRequest } from '../process/graph-cache.ts';

type GetUnitDocumentSvgInput = DocumentFileInput & { readonly width: number };

type GetUnitDocumentSvgDependencies = PrepareDocumentDependencies & {
  readonly graphCache: GraphCache;
  /** By the KID of the document, and by the bound of deleted units: no manager gets what only another one may see. */
  readonly sharedStates: SharedReads<DocumentState>;
};

export async function getUnitDocumentSvg(
  context: ManagerContext,
  { documentKid, selection, width }: GetUnitDocumentSvgInput,
  dependencies: GetUnitDocumentSvgDependencies,
): Promise<PreparedFile> {
  const { graphCache, sharedStates } = dependencies;
  const request = createDocumentRequest(context, documentKid, selection);
  const kid = formatKid(documentKid);
  const graph: GraphRequest = { tenant: documentKid.tenant, kid, selection, width };
  // A cached graph does not wait for the queue.
  const state = await sharedStates.get(`${kid} ${request.deletedSince}`, () =>
    context.read((db) => readDocumentState(db, request)),
  );
  const kept = graphCache.get(graph, state.version);
  if (kept !== undefined) return kept;
  const current = createHead(request, state);
  const stored = current.head.finished ? await graphCache.read(graph, current) : undefined;
  if (stored !== undefined)
    return graphCache.keep(graph, {
      version: state.version,
      ...stored,
      file: createFile('svg', current.head, stored.body),
    });
  // The document can have changed while this request waited in the queue.
  const { body, ...rendered } = await renderInTurn(context, request, { format: 'svg', width }, dependencies);
  const file = createFile('svg', rendered.head, body);
  if (isPast(rendered.head, context.now)) graphCache.put(graph, rendered, { body });
  return file;
}
