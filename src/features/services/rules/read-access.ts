// Describes what the key of a service may read and who granted it: as stored, after a new key, and in the audit log.

import { formatKid } from '../../../lib/kid.ts';

type StoredAccess = {
  /** JSON of the ids of the operations, in no order; null if there are none. */
  readonly operations: string | null;
  readonly access_granted_by: number | null;
};

export type ReadAccess = {
  /** Ids of operations, sorted. */
  readonly operations: readonly string[];
  /** The manager whose rights bound the key; null if nothing is granted. */
  readonly grantedBy: number | null;
};

export const noAccess: ReadAccess = { operations: [], grantedBy: null };

/** The ids of the operations that were granted, sorted. */
export const parseOperations = ({ operations }: Pick<StoredAccess, 'operations'>): string[] =>
  (JSON.parse(operations ?? '[]') as string[]).toSorted();

export const toReadAccess = (row: StoredAccess): ReadAccess => ({
  operations: parseOperations(row),
  grantedBy: row.access_granted_by,
});

/**
 * A manager who creates a key knows it, and must not get the rights of the manager who granted the access. So a manager
 * who may grant access replaces that manager, and otherwise the access ends.
 */
export const accessAfterNewKey = (
  before: ReadAccess,
  { managerId, mayGrant }: { readonly managerId: number; readonly mayGrant: boolean },
): ReadAccess => (mayGrant && before.grantedBy !== null ? { ...before, grantedBy: managerId } : noAccess);

export const isSameAccess = (one: ReadAccess, other: ReadAccess): boolean =>
  one.grantedBy === other.grantedBy && one.operations.join() === other.operations.join();

/** `now` is when it was granted. */
export const columnsOfAccess = ({ grantedBy }: ReadAccess, now: number) => ({
  access_granted_by: grantedBy,
  access_granted_at: grantedBy === null ? null : now,
});

/** The access as the audit log records it. */
export const recordAccess = (tenant: string, { operations, grantedBy }: ReadAccess) => ({
  operations,
  grantedByKid: grantedBy === null ? null : formatKid({ type: 'manager', tenant, managerId: grantedBy }),
});
