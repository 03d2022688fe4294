// Residents, and what managers did to them.

import type { AddressColumns } from './address-columns.ts';

export type ResidentsTables = {
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
    /** From this time on only the GDPR user is shown instead of the identity. */
    expired_at: number | null;
    /** Changes with every change to the resident, the keys, the PIN and the activation code. */
    revision: number;
    /** The name and the apartment as they are sorted. */
    name_key: string;
    apartment_key: string;
    /** The email address as it is compared; null where others may have the same one. */
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
  /** The code with which a resident can take over the account; only the last one. */
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
    /** The name applied to this period, and to the earlier ones after the period of the previous row. */
    through_period: number;
    name: string;
  };
};
