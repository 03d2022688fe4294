// GetUnitDocumentTable: answers the samples of a document as a JSON table.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { PreparedFile } from '../../../http/representations/results.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { prepareDocument, type PrepareDocumentDependencies } from '../read-document-file.ts';
import { createDocumentRequest } from '../read-document.ts';
import type { FieldSelection } from '../rules/field-selection.ts';

type GetUnitDocumentTableInput = { readonly documentKid: KidOf<'document'>; readonly selection: FieldSelection };

export function getUnitDocumentTable(
  context: ManagerContext,
  { documentKid, selection }: GetUnitDocumentTableInput,
  dependencies: PrepareDocumentDependencies,
): Promise<PreparedFile> {
  return prepareDocument(context, createDocumentRequest(context, documentKid, selection), 'json', dependencies);
}
