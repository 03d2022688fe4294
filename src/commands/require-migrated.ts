// What commands that work on what is there ask of a tenant's database.

import type { Databases } from '../database/databases.ts';
import { StorageError } from '../database/errors.ts';
import { CommandError } from './command-error.ts';

/** Throws CommandError where a database is missing, or lacks migrations. */
export async function requireMigrated(databases: Databases, tenant: string): Promise<void> {
  try {
    if ((await databases.listPendingMigrations(tenant)).length === 0) return;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new CommandError(`the database of ${tenant} cannot be used: is it up, and was \`migrate\` run?`, 1);
  }
  throw new CommandError(`the database of ${tenant} is not up to date: run \`migrate\` first`, 1);
}
