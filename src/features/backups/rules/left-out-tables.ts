// The tables that a backup leaves out, each with the reason. Every other table is in it: a new one joins by itself.

import type { Tables } from '../../../database/tables.ts';

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
