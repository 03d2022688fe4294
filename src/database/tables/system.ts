// The settings, keys and queues that the service itself needs.

export type SystemTables = {
  tenant_settings: { name: string; value: string };
  /** Secrets by which each replica recognises what another one has signed. */
  signing_keys: { name: string; secret: string };
  health: { id: number; beats: number };
  idempotency_records: {
    manager_id: number;
    key: string;
    /** What the key was first used for: a hash of method, path, query and body. */
    request_hash: string;
    created_at: number;
    /** Null while the answer is provisional: the first of two transactions was committed, the second one not yet. */
    status: number | null;
    /** Null where it named a resident who was erased, or where an earlier version of the service stopped before it stored the answer. */
    body: string | null;
    /** Language of the answer; null if it does not depend on one. */
    language: string | null;
  };
  /** Snapshots of the tenant status whose pages are shown. */
  status_snapshots: {
    snapshot_id: string;
    environment: string;
    manager_id: number;
    measured_at: number;
    /** JSON of the sources and items. */
    content: string;
  };
  /** Requests of principals who use a noticeable part of their limit, as each process of the service has counted them. */
  request_counts: {
    /** When the minute begins. */
    window_start: number;
    principal: string;
    /** Drawn when the process starts. */
    process: string;
    requests: number;
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
    /** The location of the device; 0 if it has none. */
    location_id: number;
    unit_id: number;
    state: string;
    /** How often it was sent. */
    attempts: number;
    created_at: number;
    updated_at: number;
    /** JSON of what the record concerns besides its subject, such as the keys of a resident. */
    detail: string | null;
    /** The code with which the device refused it. */
    code: string | null;
  };
};
