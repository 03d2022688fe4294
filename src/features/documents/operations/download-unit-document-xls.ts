// DownloadUnitDocumentXls: answers the samples of a document as an Excel workbook.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { PreparedFile } from '../../../http/representations/results.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { prepareDocument, type PrepareDocumentDependencies } from '../read-document-file.ts';
import { createDocumentRequest } from '../read-document.ts';
import type { FieldSelection } from '../rules/field-selection.ts';

type DownloadUnitDocumentXlsInput = { readonly documentKid: KidOf<'document'>; readonly selection: FieldSelection };

export function downloadUnitDocumentXls(
  context: ManagerContext,
  { documentKid, selection }: DownloadUnitDocumentXlsInput,
  dependencies: PrepareDocumentDependencies,
): Promise<PreparedFile> {
  return prepareDocument(context, createDocumentRequest(context, documentKid, selection), 'xls', dependencies);
}
