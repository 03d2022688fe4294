// Decides what is in a backup, and whether this version of the service can use it: its tenant, its migrations, its tables.

import type { Tables } from '../../../database/tables.ts';
import { CopyError } from '../../../../sqlite-follower/copy-error.ts';
import type { BackupHeader, BackupTable } from './content-lines.ts';

/** Throws CopyError unless the migrations are the first ones of those that are known. Returns the last of them. */
export function requireKnownSchema({ schema }: BackupHeader, known: readonly string[]): string {
  const unknown = schema.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new CopyError(
      `is from a newer version of the service, which has migrations of its own: ${unknown.join(', ')}`,
    );
  const last = schema.at(-1);
  if (last === undefined || schema.some((name, index) => name !== known[index]))
    throw new CopyError('has migrations that no version of the service leaves: some before the last one are missing');
  return last;
}

/** KIDs begin with the tenant's name, so that the data of one tenant are not those of another. */
export function requireTenant({ tenant }: Pick<BackupHeader, 'tenant'>, wanted: string): void {
  if (tenant !== wanted)
    throw new CopyError(`is of the tenant ${tenant}: it cannot be restored as ${wanted}, whose KIDs are others`);
}

/** Throws CopyError unless the database has this table with these columns. */
export function requireSameTable({ table, columns }: BackupTable, existing: readonly BackupTable[]): void {
  const found = existing.find((each) => each.table === table);
  if (found === undefined) throw new CopyError(`has a table that its schema does not have: ${table}`);
  if (found.columns.toSorted().join() !== columns.toSorted().join())
    throw new CopyError(`has other columns of ${table} than its schema: ${columns.join(', ')}`);
}

/** Throws CopyError where the database has a table that is not in the backup. */
export function requireAllTables(
  { leftOut }: BackupHeader,
  read: ReadonlySet<string>,
  existing: readonly BackupTable[],
): void {
  const missing = existing.map(({ table }) => table).filter((table) => !read.has(table) && !leftOut.includes(table));
  if (missing.length > 0) throw new CopyError(`lacks tables of its schema: ${missing.join(', ')}`);
}

/** A restored database has what the migrations insert into these tables. */
export const leftOutTables: Readonly<Partial<Record<keyof Tables, string>>> = {
  sessions: 'a session that has ended since would be valid again',
  status_snapshots: 'nobody uses one for longer than two minutes',
  login_failures: 'nobody counts one for longer than five minutes',
  request_counts: 'nobody counts one for longer than a minute',
  email_verifications: 'a code that was used, or tried too often, could be used again; each is valid for an hour',
  signing_keys: 'a restored database signs by a secret of its own, so that no older cursor leads into it',
  health: 'it counts the probes of the database that it is in',
};

export const isLeftOut = (table: string): boolean => Object.hasOwn(leftOutTables, table);
