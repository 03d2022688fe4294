// The audit log and the heads of its hash chains.

import type { Generated } from 'kysely';

export type AuditTables = {
  /** The lock row of a chain: the number and the link of its last entry. */
  audit_heads: {
    /** The bank, or 0 for what belongs to no bank. */
    chain: number;
    sequence: number;
    link: string;
    /** Counts the locks of the chain before an append. */
    writes: Generated<number>;
  };
  /** Entries are appended and never changed. */
  audit_entries: {
    chain: number;
    /** Counts the entries of the chain, from 1 and without gaps. */
    sequence: number;
    at: number;
    /** A manager, a service identity, or an operator at the command line. */
    actor_kind: string;
    /** Null for an operator, who is not known. */
    actor_id: number | null;
    address: string | null;
    /** The id of the operation, or the name of the command. */
    operation: string;
    /** The KID of what was changed or exported. */
    object: string;
    /** JSON objects of the fields that changed; null if nothing existed before, or if nothing exists afterwards. */
    old_values: string | null;
    new_values: string | null;
    request_id: string | null;
    environment: string | null;
    /** The entry's link in the hash chain. */
    link: string;
  };
};
