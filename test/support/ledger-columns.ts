// The columns of a posting that its link of the ledger's hash chain covers, in the order in which they are hashed.

export const hashedIntegerColumns = [
  'bank_id',
  'posting_id',
  'recorded_at',
  'location_id',
  'unit_id',
  'user_id',
  'kind',
  'payment_kind',
  'amount_minor',
  'vat_minor',
  'period',
  'document_id',
  'internal_tag',
  'reversal_of',
  'fingerprint',
] as const;
export const hashedTextColumns = ['currency', 'text', 'payment_reference'] as const;
