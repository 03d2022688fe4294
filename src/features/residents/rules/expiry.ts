// Decides when a deleted resident expires, and which data remains after personal data was erased.

import type { Tables } from '../../../database/tables.ts';
import { computeRetentionCutoff } from '../../../lib/time/retention-cutoff.ts';
import { noPersonalTexts, type PersonalField, type ResidentField } from '../fields.ts';

/** Which residents of a tenant are due at one time. */
export type ExpiryRule = {
  /** Residents deleted before this instant (MS2000) expire; none if it is undefined. */
  readonly deletedBefore: number | undefined;
  readonly now: number;
};

type ExpiryOptions = {
  /** The tenant's stored retention of identities. */
  readonly retentionSetting: string | null;
  /** Every deleted resident expires at once if there is no retention. */
  readonly expiresAllDeleted: boolean;
};

/**
 * A deleted resident expires when the tenant's retention of accounts has passed since the deletion. It counts whole UTC
 * days, as it does for the identities of postings. A retention of zero, or none, expires nobody unless that is
 * requested: if a setting is missing by mistake, erased data cannot be restored.
 */
export function createExpiryRule({ retentionSetting, expiresAllDeleted }: ExpiryOptions, now: number): ExpiryRule {
  if (hasRetention(retentionSetting))
    return { deletedBefore: computeRetentionCutoff(Number(retentionSetting), now), now };
  // With a clock that was ahead, some may have been deleted later than now.
  return { deletedBefore: expiresAllDeleted ? Number.MAX_SAFE_INTEGER : undefined, now };
}

/** Whether a tenant retains identities for some days; a value that is not a number retains nothing. */
export const hasRetention = (retentionSetting: string | null): boolean => Number(retentionSetting ?? 0) > 0;

/** Language, location and what belongs to the account's history. */
type KeptColumn =
  | 'bank_id'
  | 'resident_id'
  | 'location_id'
  | Exclude<ResidentField, PersonalField>
  | 'enabled'
  | 'deleted_at'
  | 'expired_at'
  | 'erased_at'
  | 'revision'
  | 'address_revision';

/** Every other column is personal data and is erased: a new column compiles only in one of the two lists. */
export const erasedColumns = {
  ...noPersonalTexts,
  name_key: '',
  apartment_key: '',
  email_key: null,
  phone_number: null,
  pin_hash: null,
  address: '',
  zip: '',
  latitude: null,
  longitude: null,
  coordinate_provenance: null,
} as const satisfies Omit<Tables['residents'], KeptColumn>;
