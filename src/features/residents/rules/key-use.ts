// Decides whether the resident who has a key may use it. The same rule says which keys devices know, who may use a unit,
// and on whom a use is booked.

export type KeyHolderColumns = {
  readonly enabled: number;
  readonly deleted_at: number | null;
  /** MS2000. */
  readonly expired_at: number | null;
};

type KeyRefusal = 'unknown-key' | 'resident-expired' | 'resident-disabled';

/** Why nobody may use the key; undefined where its holder may. The key of a deleted resident is nobody's. */
export function findKeyRefusal(holder: KeyHolderColumns | undefined, now: number): KeyRefusal | undefined {
  if (holder === undefined || holder.deleted_at !== null) return 'unknown-key';
  if (holder.expired_at !== null && holder.expired_at <= now) return 'resident-expired';
  return holder.enabled === 1 ? undefined : 'resident-disabled';
}

export const mayUseKeys = (holder: KeyHolderColumns, now: number): boolean => findKeyRefusal(holder, now) === undefined;
