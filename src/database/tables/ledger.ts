// The ledger of each bank, its periods and its sums.

import type { Int64 } from '../../lib/values/int64.ts';

export type LedgerTables = {
  /** The lock row of a bank's ledger. */
  ledgers: {
    bank_id: number;
    /** Counts the writes: every write updates it first. */
    writes: number;
    next_posting_id: number;
    open_period: number;
    opened_at: number;
    /** How many of the postings are reversals. */
    reversals: number;
    /** The latest time of a write, by the clock that was furthest ahead. No later write is recorded before it. */
    last_write_at: number;
  };
  settlement_periods: {
    bank_id: number;
    period: number;
    from_at: number;
    through_at: number;
    closed_at: number;
    /** The link of this closing in the ledger's hash chain: it seals every posting up to the end of the period. */
    chain: string;
  };
  postings: {
    bank_id: number;
    posting_id: number;
    recorded_at: number;
    location_id: number;
    unit_id: number;
    user_id: number;
    kind: number;
    payment_kind: number;
    /** ISO 4217, or empty where unknown. */
    currency: string;
    amount_minor: Int64;
    vat_minor: Int64 | null;
    /** The settlement period that was open when the posting was recorded. */
    period: number;
    document_id: number | null;
    text: string;
    /** Set by the equipment on consumption that it can take back. */
    internal_tag: number | null;
    payment_reference: string | null;
    reversal_of: number | null;
    /** 63 bits over identity, period and amount. */
    fingerprint: Int64;
    /** The posting's link in the ledger's hash chain. */
    chain: string;
  };
  posting_rollups: {
    bank_id: number;
    /** 0 0 is the whole bank, L 0 a location, L U a unit. */
    location_id: number;
    unit_id: number;
    grain: number;
    bucket: number;
    posting_class: number;
    currency: string;
    count: number;
    amount_high: Int64;
    amount_low: Int64;
    fingerprint_high: Int64;
    fingerprint_low: Int64;
  };
  /** Sums of each resident; there are none of the guest and the GDPR user. */
  resident_rollups: {
    bank_id: number;
    user_id: number;
    period: number;
    currency: string;
    kind: number;
    /** Whether the amounts are above zero. */
    is_credit: number;
    count: number;
    amount_high: Int64;
    amount_low: Int64;
    fingerprint_high: Int64;
    fingerprint_low: Int64;
    text_bytes: number;
    earliest: number;
    latest: number;
  };
};
