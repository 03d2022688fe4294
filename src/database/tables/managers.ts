// Managers, what they may do, and their sessions.

import type { Generated } from 'kysely';

export type ManagersTables = {
  managers: {
    manager_id: number;
    user_name: string;
    /** The user name in the form that is compared: NFKC, lower case. */
    user_name_key: string;
    name: string;
    /** For sorting: without case and accents, and with numbers that sort by value. */
    name_key: string;
    email: string;
    organisation: string;
    person_icon: string;
    theme: number;
    retention_days: number | null;
    password_hash: string;
    credential_stamp: string;
    active: number;
    deleted_at: number | null;
    /** Revision of the manager's rights. */
    revision: number;
    /** 1 where the manager has confirmed the email address by a code. */
    email_verified: Generated<number>;
    profile_revision: Generated<number>;
    /** Counts the writes of the profile and of the password that have begun. Each write locks the row by this count. */
    profile_writes: Generated<number>;
  };
  /** The verification codes of the last hour; the newest one of a manager stands. */
  email_verifications: {
    manager_id: number;
    verification_id: number;
    email: string;
    /** Null where the code was used, replaced or tried too often. */
    code_hash: string | null;
    requested_at: number;
    wrong_tries: number;
  };
  /** Row 1 is the lock row of all changes of managers' rights and activity. */
  manager_heads: { id: number; rights_version: number };
  /** The words by which a search finds managers. */
  manager_words: { word: string; manager_id: number };
  /** When a session of a manager was last used, to within 15 minutes. */
  manager_activity: { manager_id: number; last_seen_at: number };
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
  /**
   * Wrong passwords: of an account from an address, of an account from unknown addresses, and from an address. Wrong
   * enrolment codes from an address, too.
   */
  login_failures: {
    /** The hash of what is counted. */
    counter_hash: string;
    failures: number;
    /** When nothing counts any longer. */
    ends_at: number;
  };
};
