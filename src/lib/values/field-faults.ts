// What can be wrong with the value of a field: in the words of the service, and as a code for clients that say it in the
// language of their reader.

export const fieldFaultCodes = [
  'required',
  'unknown-field',
  'wrong-type',
  'not-in-list',
  'too-small',
  'too-large',
  'wrong-step',
  'too-many-decimals',
  'not-a-number',
  'too-short',
  'too-long',
  'too-few-items',
  'too-many-items',
  'wrong-pattern',
  'control-characters',
  'not-a-date',
  'not-an-instant',
  'not-a-time',
  'not-a-kid',
  'not-an-email',
  'not-a-phone',
  'not-a-key',
  'not-a-pin',
  'weak-pin',
  'weak-password',
  'not-repeated',
  'not-new',
] as const;
type FieldFaultCode = (typeof fieldFaultCodes)[number];

export type FieldFault = {
  /** A predicate of the field: `must be a date, YYYY-MM-DD`. */
  readonly reason: string;
  /** Missing where a fault is too rare to have one. */
  readonly code?: FieldFaultCode;
  /** The bound that the value breaks. */
  readonly limit?: string;
};

export const tooLong = (most: number): FieldFault => ({
  reason: `must have at most ${most} characters`,
  code: 'too-long',
  limit: String(most),
});

export const notEmpty: FieldFault = { reason: 'must not be empty', code: 'required' };

export const missing: FieldFault = { reason: 'is missing', code: 'required' };
