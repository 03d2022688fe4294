// Decides whether the resident who has a key may use it. The same rule says which keys devices know, who may use a unit,
// and on whom a use is booked.

import type { Tables } from '../../../database/tables.ts';

export type KeyHolderColumns = Pick<Tables['residents'], 'enabled' | 'deleted_at' | 'expired_at'>;

type KeyRefusal = 'unknown-key' | 'resident-expired' | 'resident-disabled';

/** Why nobody may use the key; undefined where its holder may. The key of a deleted resident is nobody's. */
export function findKeyRefusal(holder: KeyHolderColumns | undefined, now: number): KeyRefusal | undefined {
  if (holder === undefined || holder.deleted_at !== null) return 'unknown-key';
  if (holder.expired_at !== null && holder.expired_at <= now) return 'resident-expired';
  return holder.enabled === 1 ? undefined : 'resident-disabled';
}

export const mayUseKeys = (holder: KeyHolderColumns, now: number): boolean => findKeyRefusal(holder, now) === undefined;
