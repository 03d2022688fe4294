// The payment reference of a posting that refunds a part of a use: it names the posting of the use.

export const refundReferencePrefix = 'refund of X';

export const formatRefundReference = (postingId: number): string => `${refundReferencePrefix}${postingId}`;
