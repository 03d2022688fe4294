// The problems of valid requests that the state of the data does not allow: 422.

import type { ProblemEntry } from './problem-entry.ts';

export const refusalProblems = {
  'booking-ended': { status: 422, title: 'The booking has ended.' },
  'booking-not-allowed': {
    status: 422,
    title: 'The command is not allowed for this booking; reason says why.',
    reasons: [
      'not-booked',
      'not-cancelled',
      'unit-deleted',
      'unit-disabled',
      'resident-gone',
      'place-disabled',
      'not-bookable',
      'cancel-deadline',
      'notice',
      'horizon',
      'max-open',
      'max-per-day',
      'max-per-week',
      'max-per-month',
    ],
  },
  'bank-full': { status: 422, title: 'The housing association has no id left for another resident.' },
  'command-not-allowed': {
    status: 422,
    title: 'The state of the resident does not allow the command; reason says why.',
    reasons: ['deleted', 'not-deleted', 'not-retained', 'not-active', 'not-disabled', 'too-many-keys', 'no-keys'],
  },
  'no-activation-code': {
    status: 404,
    title: 'The resident has no valid activation code; reason says why.',
    reasons: ['deleted', 'disabled', 'used', 'expired', 'none'],
  },
  'export-too-large': { status: 422, title: 'The selection has more rows than an export can contain.' },
  'document-too-large': { status: 422, title: 'The document has more data than one document can contain.' },
  'no-numeric-data': { status: 422, title: 'The selected fields have no numeric data that a graph could show.' },
  'too-many-series': { status: 422, title: 'A graph shows at most 16 series: select fewer fields.' },
  'unsupported-unit-type': { status: 422, title: 'The type of the unit is unknown to this service.' },
  'last-administrator': {
    status: 422,
    title: 'No manager would be left who can administer the managers of the tenant.',
  },
  'search-too-large': { status: 422, title: 'The search covers too much: narrow it to one location.' },
  'period-open': { status: 422, title: 'The settlement period is still open.' },
  'not-reversible': {
    status: 422,
    title: 'An entry of this kind cannot be reversed; reason says why.',
    reasons: [
      'compensating-entry',
      'payment-managed',
      'payment-transfer',
      'monthly-transfer',
      'unknown-type',
      'not-consumption',
      'credit',
      'zero-amount',
      'no-resident',
      'expired-identity',
      'guest-entry',
      'no-internal-tag',
      'amount-out-of-range',
    ],
  },
  'read-only-setting': {
    status: 422,
    title: 'The setting is a state, or cannot be written by managers; reason says which.',
    reasons: ['state', 'not-editable'],
  },
  'idempotency-mismatch': { status: 422, title: 'This Idempotency-Key was used for another request.' },
} as const satisfies Record<string, ProblemEntry>;
