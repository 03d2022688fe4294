// Imports: their plans row by row, the keys that sources have for objects, and the profiles of a tenant, also of charges.

export type ImportsTables = {
  /** The lock row of the ids of imports: the last one. It has the id 1. */
  import_heads: { id: number; allocated: number };
  imports: {
    import_id: number;
    kind: string;
    /** 0 for a kind that belongs to no bank. */
    bank_id: number;
    /** Whose keys the rows have: the name of the profile. */
    source: string;
    state: string;
    created_at: number;
    /** The manager; null where the operator did it. */
    created_by: number | null;
    changed_at: number;
    /** SHA-256 of the file, in hexadecimal digits; null until all of it has arrived. */
    file_hash: string | null;
    file_bytes: number;
    /** JSON of what was found out about the file; null before its beginning was read. */
    detected: string | null;
    /** What happens to objects that the file no longer has: keep or deactivate. */
    missing_action: string;
    /** The rows of the plan, by action. */
    creates: number;
    updates: number;
    unchanged: number;
    missing: number;
    refused: number;
    allow_partial: number;
    /** The position up to which rows are applied, or from which on they are undone. */
    done_through: number;
    /** What became of the rows. */
    applied: number;
    stale: number;
    failed: number;
    undone: number;
    kept: number;
    /** JSON of code, text and line; null unless the import has failed. */
    failure: string | null;
    /** JSON of whose request is carried out, for the audit log. */
    actor: string | null;
    /** The process that works on it, and until when others leave it alone. */
    worker: string | null;
    lease_until: number | null;
    revision: number;
  };
  import_rows: {
    import_id: number;
    /** Its place in the file, from 1; those of missing objects follow. */
    position: number;
    /** The line of the file on which it begins; 0 for a missing object. */
    line: number;
    row_key: string;
    action: string;
    object_kid: string | null;
    /** The revision of the object when the plan was made. */
    object_revision: string | null;
    /** JSON of the fields; null where there are none, or they were erased. */
    row_values: string | null;
    /** JSON of `{field, before, after}`. */
    changes: string | null;
    /** JSON of `{field, code, text}`. */
    errors: string | null;
    outcome: string | null;
    /** The revision of the object after the row was applied. */
    result_revision: string | null;
  };
  /** What only one row of a file can have. */
  import_claims: {
    import_id: number;
    /** A hash. */
    claim: string;
    position: number;
  };
  /** The key of an object in the system that a file comes from. */
  import_keys: {
    kind: string;
    bank_id: number;
    source: string;
    source_key: string;
    object_kid: string;
  };
  /** Every version of a profile; the latest is used. */
  import_profiles: {
    name: string;
    version: number;
    kind: string;
    /** JSON. */
    document: string;
    created_at: number;
    created_by: number | null;
  };
  /** How the charges of a bank's settlements are written. A bank without a row has none. */
  charge_profiles: {
    bank_id: number;
    /** The name of a profile of charges. */
    profile: string;
    /** Whose keys of residents the charges name: the name of another profile. */
    key_source: string;
  };
};
