// GetUnitDocumentHtml: answers the samples of a document as a page to print.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { PreparedFile } from '../../../http/representations/results.ts';
import { prepareDocument, type DocumentFileInput, type PrepareDocumentDependencies } from '../read-document-file.ts';

export function getUnitDocumentHtml(
  context: ManagerContext,
  input: DocumentFileInput,
  dependencies: PrepareDocumentDependencies,
): Promise<PreparedFile> {
  return prepareDocument(context, input, 'html', dependencies);
}
