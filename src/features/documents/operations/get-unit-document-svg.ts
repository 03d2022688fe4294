// GetUnitDocumentSvg: the samples of a document as graphs. Those of a finished document are drawn once a day.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { PreparedFile } from '../../../http/prepared-file.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { createFile, renderInTurn, type PrepareDocumentDependencies } from '../prepare-document.ts';
import { createDocumentRequest, readHead } from '../read-document.ts';
import type { FieldSelection } from '../rules/field-selection.ts';
import type { SvgCache } from '../svg-cache.ts';

type GetUnitDocumentSvgInput = {
  readonly documentKid: KidOf<'document'>;
  readonly selection: FieldSelection;
  readonly width: number;
};

type GetUnitDocumentSvgDependencies = PrepareDocumentDependencies & { readonly svgCache: SvgCache };

export async function getUnitDocumentSvg(
  context: ManagerContext,
  { documentKid, selection, width }: GetUnitDocumentSvgInput,
  dependencies: GetUnitDocumentSvgDependencies,
): Promise<PreparedFile> {
  const { svgCache } = dependencies;
  const request = createDocumentRequest(context, documentKid, selection);
  const { tenant } = request.document;
  // A graph that is kept needs no place.
  const current = await context.read((db) => readHead(db, request));
  const cached = current.head.finished ? await svgCache.find(svgCache.keyOf(tenant, current, width)) : undefined;
  if (cached !== undefined) return createFile('svg', current.head, cached);
  // It may have changed while this request waited for its place.
  const rendered = await renderInTurn(context, request, { form: 'svg', width }, dependencies);
  if (rendered.head.finished) svgCache.put(svgCache.keyOf(tenant, rendered, width), rendered.body);
  return createFile('svg', rendered.head, rendered.body);
}
