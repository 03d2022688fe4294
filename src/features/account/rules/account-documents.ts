// Groups postings into documents: rows with the same positive document id, resident, location, period and currency.

import type { Tables } from '../../../database/tables.ts';
import { formatDocumentKey, formatPostingKey } from '../../../lib/kid.ts';

type DocumentCandidate = Pick<
  Tables['postings'],
  'posting_id' | 'document_id' | 'user_id' | 'location_id' | 'period' | 'currency'
> & {
  readonly isPaymentManaged: boolean;
  readonly isAnonymized: boolean;
};

/**
 * Rows without a document, rows managed by a payment and anonymized rows are in no group. A group of anonymized rows would
 * show that they belong to one person.
 */
export const isStandalone = (
  row: Pick<DocumentCandidate, 'document_id' | 'isPaymentManaged' | 'isAnonymized'>,
): boolean => row.document_id === null || row.document_id <= 0 || row.isPaymentManaged || row.isAnonymized;

/** All rows of a document have one key, also on other pages. A standalone row has its own. */
export function computeAccountDocumentKey(row: DocumentCandidate): string {
  const { posting_id, document_id, user_id, location_id, period, currency } = row;
  return document_id === null || isStandalone(row)
    ? formatPostingKey(posting_id)
    : formatDocumentKey({ documentId: document_id, residentId: user_id, locationId: location_id, period, currency });
}
