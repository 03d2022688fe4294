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

/** An address of one's own, which may be empty, and where it is. */
export type AddressColumns = {
  address: string;
  /** A postal code, perhaps with its city. */
  zip: string;
  /** Millionths of a degree, as the longitude. */
  latitude: number | null;
  longitude: number | null;
  /** Where the coordinates are from; null if nobody has said. */
  coordinate_provenance: number | null;
  /** Counts the changes to these columns. */
  address_revision: number;
};

export type Tables = {
  tenant_settings: { name: string; value: string };
  health: { id: number; beats: number };

  banks: AddressColumns & {
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
    /** Turns with every change to what lists show of the bank, its locations or its units. */
    places_version: number;
    /** Turns with every change to one of the bank's residents, and with every closing of a settlement period. */
    residents_version: number;
  };
  locations: AddressColumns & {
    bank_id: number;
    location_id: number;
    name: string;
    /** The name of an icon, as far as there is such an icon. */
    icon: string | null;
    time_zone: string;
    enabled: number;
    deleted_at: number | null;
  };
  units: AddressColumns & {
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
  /** Each state of a unit that was ever sampled. */
  state_series: { bank_id: number; location_id: number; unit_id: number; name: string; series_id: number };
  /** The lock row of the ids of series: how many have been given away. */
  state_series_heads: { id: number; allocated: number };
  /** What a state was over time, as the equipment sent it. */
  state_samples: { series_id: number; at: number; value: string | null };
  /** The Cycles that the equipment tagged as part of a document. They are in the history of settings as well. */
  document_cycles: {
    bank_id: number;
    location_id: number;
    unit_id: number;
    at: number;
    /** The document's tag. */
    document_id: Int64;
    value: string | null;
  };
  /** The lock row of a unit's samples. */
  unit_syncs: {
    bank_id: number;
    location_id: number;
    unit_id: number;
    /** Up to then the equipment has sent everything. */
    synced_at: number;
    /** Counts the reports that brought something from before that all the same. */
    late_writes: number;
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
  residents: AddressColumns & {
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
    /** Turns with every change to the resident, the keys, the PIN and the activation code. */
    revision: number;
    /** The name and the apartment as they are sorted. */
    name_key: string;
    apartment_key: string;
    /** The email address as it is compared; null where it keeps nobody else from having it. */
    email_key: string | null;
    /** The phone in E.164. */
    phone_number: string | null;
    pin_hash: string | null;
    /** When the personal data was erased. */
    erased_at: number | null;
  };
  /** The lock row of a bank's ids of residents: how many have been given away. */
  resident_heads: { bank_id: number; allocated: number };
  /** The words by which residents are found. */
  resident_words: { bank_id: number; word: string; resident_id: number };
  /** Tags and cards. */
  resident_keys: {
    bank_id: number;
    resident_id: number;
    key_number: string;
    /** Tag or Card. */
    kind: string;
    added_at: number;
    /** The number again as long as nobody else of the tenant may have the key. */
    held_number: string | null;
  };
  /** The code with which a resident can take over the account, the last one alone. */
  resident_activations: {
    bank_id: number;
    resident_id: number;
    code: string;
    created_at: number;
    used_at: number | null;
  };
  resident_history: {
    bank_id: number;
    resident_id: number;
    /** The resident's revision that the change made. */
    revision: number;
    changed_at: number;
    /** The manager who did it; null where the operator did. */
    editor_id: number | null;
    command: string;
    /** Null where there is none, and of what is secret. */
    old_value: string | null;
    new_value: string | null;
  };
  /** The names with which earlier periods were closed, of residents who have another one now. */
  resident_former_names: {
    bank_id: number;
    resident_id: number;
    /** The name was that of this period, and of those before it since the one of the row before. */
    through_period: number;
    name: string;
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
  /** From where a manager has logged in. */
  manager_addresses: {
    manager_id: number;
    /** Keyed by the manager's credential stamp. */
    address_hash: string;
    last_login_at: number;
  };
  idempotency_records: {
    manager_id: number;
    key: string;
    /** What the key was first used for: a hash of method, path, query and body. */
    request_hash: string;
    created_at: number;
    /** Null while the answer is provisional: the first of two transactions was committed, the second one not yet. */
    status: number | null;
    /** Null where it named a resident who was erased, or an earlier version of the service ended before it stored it. */
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
    /** When the service last wrote, by the clock that was furthest ahead. What is recorded later is not put before it. */
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

  /** Which import of a country's postal codes is read. */
  postal_imports: {
    /** ISO 3166-1 alpha-2. */
    country: string;
    /** 0 before the first one is finished. */
    current_import: number;
    last_import: number;
  };
  postal_codes: {
    country: string;
    import_id: number;
    /** In the country's canonical spelling. */
    postcode: string;
    /** Null where the postal code has several. */
    city: string | null;
  };
};
