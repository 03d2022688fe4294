// Every table of a tenant's database, as the query builder sees it. Times are MS2000. Columns that can pass 2^53
// (amounts, fingerprints, their sums) are Int64; ids and times are bounded by the service.

import type { Int64 } from '../lib/int64.ts';

type UnitSetting = {
  bank_id: number;
  location_id: number;
  unit_id: number;
  name: string;
  /** In the canonical spelling of its type; null where it was taken away. */
  value: string | null;
  /** The unit's version with which it was written. */
  version: number;
  changed_at: number;
  /** The manager who wrote it; null where the equipment did. */
  editor_id: number | null;
  /** Its record in the outbox; null if no device needs to know. */
  sync_id: number | null;
};

export type Tables = {
  tenant_settings: { name: string; value: string };
  health: { id: number; beats: number };

  banks: {
    bank_id: number;
    name: string;
    bank_type: number;
    icon: string | null;
    currency: string;
    /** Value added tax of a cash bank in hundredths of a percent. */
    vat_basis_points: number | null;
    /** What a settlement takes off a resident's purchases in kroner, in hundredths of a percent. */
    discount_basis_points: number | null;
    enabled: number;
    deleted_at: number | null;
    /** Turns with every change to the bank, its locations or its units. */
    places_version: number;
  };
  locations: {
    bank_id: number;
    location_id: number;
    name: string;
    /** The name of an icon, as far as there is such an icon. */
    icon: string | null;
    /** The location's own, part of it or nothing. */
    address: string;
    zip: string;
    time_zone: string;
    enabled: number;
    deleted_at: number | null;
  };
  units: {
    bank_id: number;
    location_id: number;
    unit_id: number;
    name: string;
    /** 0 if only the packed type has it. */
    unit_type: number;
    /** What older equipment says of itself: bits 1 to 8 are its type, of 64 that can all be set. */
    packed_type: Int64 | null;
    enabled: number;
    deleted_at: number | null;
    /** When the device was last heard of. */
    last_contact_at: number | null;
    /** The lock row of the unit's settings; each setting has the version with which it was written. */
    version: number;
  };
  /** Settings that were ever given a value; without one, the catalogue's default holds. */
  unit_settings: UnitSetting;
  /** Every value that a setting was given, the one that holds now among them. */
  unit_setting_history: UnitSetting;
  /** What devices last reported. */
  unit_states: {
    bank_id: number;
    location_id: number;
    unit_id: number;
    name: string;
    value: string | null;
    reported_at: number;
  };
  opening_exceptions: {
    bank_id: number;
    location_id: number;
    /** 0: every unit of the location that has no exception of its own on that day. */
    unit_id: number;
    /** ISO 8601, in the location's time zone. */
    day: string;
    /** As in an opening setting; empty is closed. */
    intervals: string;
    /** What the day is. */
    text: string;
  };

  /** The lock row of a bank's bookings: the last booking id and event id. */
  booking_heads: { bank_id: number; bookings: number; events: number };
  bookings: {
    bank_id: number;
    booking_id: number;
    location_id: number;
    unit_id: number;
    user_id: number;
    start_at: number;
    end_at: number;
    /** Booked or Cancelled. */
    state: string;
    /** Price, zero or more. */
    price_minor: Int64;
    currency: string;
    /** The latest event of the booking. */
    event_id: number;
  };
  booking_events: {
    bank_id: number;
    event_id: number;
    booking_id: number;
    /** Booked, Cancelled or Restored. */
    kind: string;
    at: number;
    /** The manager who did it; null where a resident or a device did. */
    editor_id: number | null;
    /** The posting that it made in the account. */
    posting_id: number | null;
  };
  /** The time that bookings take, cut into slots; a cancelled booking has none. */
  booking_slots: {
    bank_id: number;
    location_id: number;
    unit_id: number;
    /** Counted in slots since 2000-01-01T00:00:00Z. */
    slot: number;
    booking_id: number;
  };
  residents: {
    bank_id: number;
    resident_id: number;
    location_id: number | null;
    name: string;
    apartment: string;
    email: string;
    phone: string;
    language: string;
    enabled: number;
    deleted_at: number | null;
    /** Since then the identity is gone: only the GDPR user is shown. */
    expired_at: number | null;
    revision: number;
  };

  managers: {
    manager_id: number;
    user_name: string;
    /** The user name in the form that is compared: NFKC, lower case. */
    user_name_key: string;
    name: string;
    email: string;
    organisation: string;
    person_icon: string;
    theme: number;
    retention_days: number | null;
    password_hash: string;
    credential_stamp: string;
    active: number;
    deleted_at: number | null;
    /** Revision of the manager's rights; the lock row of their changes. */
    revision: number;
  };
  manager_tabs: { manager_id: number; tab: string };
  manager_permissions: { manager_id: number; permission: string };
  /** Bank 0 is the whole tenant, location 0 the whole bank. */
  manager_grants: { manager_id: number; bank_id: number; location_id: number };
  sessions: {
    token_hash: string;
    manager_id: number;
    environment: string;
    credential_stamp: string;
    created_at: number;
    expires_at: number;
  };
  idempotency_records: {
    manager_id: number;
    key: string;
    /** What the key was first used for: a hash of method, path, query and body. */
    request_hash: string;
    created_at: number;
    /** Null from the write's commit until its answer is stored. */
    status: number | null;
    body: string | null;
    /** Language of the answer; null if it does not depend on one. */
    language: string | null;
  };

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

  /** The lock row of a bank's outbox: the last id of a record. */
  device_sync_heads: { bank_id: number; queued: number };
  /** The outbox towards the devices of a bank, drained in the order of its ids. */
  device_sync: {
    bank_id: number;
    sync_id: number;
    /** Kind and id of what is sent. */
    subject_kind: string;
    subject_id: number;
    /** Where the device is; 0 where there is none. */
    location_id: number;
    unit_id: number;
    state: string;
    /** How often it was sent. */
    attempts: number;
    created_at: number;
    updated_at: number;
  };
};
