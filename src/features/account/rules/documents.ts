// Receipt groups: rows with the same positive document id, of the same resident, location, period and currency.

type DocumentCandidate = {
  readonly posting_id: number;
  readonly document_id: number | null;
  readonly user_id: number;
  readonly location_id: number;
  readonly period: number;
  readonly currency: string;
  readonly isPaymentManaged: boolean;
  readonly isAnonymized: boolean;
};

/**
 * A row without a valid document id, a payment-managed one, and one whose identity has expired are in no group: joining
 * the last would tell of one person.
 */
export const isStandalone = (
  row: Pick<DocumentCandidate, 'document_id' | 'isPaymentManaged' | 'isAnonymized'>,
): boolean => row.document_id === null || row.document_id <= 0 || row.isPaymentManaged || row.isAnonymized;

/** The key under which the parts of a group on several pages are merged; a row that stands alone has its own. */
export function formatDocumentKey(row: DocumentCandidate): string {
  const { document_id, user_id, location_id, period, currency } = row;
  return isStandalone(row)
    ? `X${row.posting_id}`
    : `D${document_id}-R${user_id}-L${location_id}-P${period}${currency === '' ? '' : `-${currency}`}`;
}
