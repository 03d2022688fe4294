// The payment reference of a posting that refunds a part of a use: it names the posting of the use.

export const refundReferencePrefix = 'refund of X';

export const formatRefundReference = (postingId: number): string => `${refundReferencePrefix}${postingId}`;

/** The posting that a payment reference says to be refunded; undefined for any other reference. */
export function parseRefundReference(reference: string | null): number | undefined {
  if (reference === null || !reference.startsWith(refundReferencePrefix)) return undefined;
  const digits = reference.slice(refundReferencePrefix.length);
  return /^[1-9]\d{0,15}$/.test(digits) ? Number(digits) : undefined;
}
