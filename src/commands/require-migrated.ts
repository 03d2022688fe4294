// Checks that a tenant's database can be used, for commands that work on existing data.

import type { Databases } from '../database/databases.ts';
import { StorageError } from '../database/errors.ts';
import { CommandError } from './command-error.ts';

/** Throws CommandError where the database is missing or lacks migrations. */
export async function requireMigrated(databases: Databases, tenant: string): Promise<void> {
  try {
    if ((await databases.listPendingMigrations(tenant)).length === 0) return;
  } catch (error) {
    throw error instanceof StorageError ? createUnusableDatabaseError(tenant) : error;
  }
  throw new CommandError(`the database of ${tenant} is not up to date: run \`migrate\` first`, 1);
}

export const createUnusableDatabaseError = (tenant: string): CommandError =>
  new CommandError(`the database of ${tenant} cannot be used: is it running, and was \`migrate\` run?`, 1);
