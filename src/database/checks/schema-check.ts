// Refuses transactions on a database whose schema lacks what the code needs, or whose data are not complete: a backup is
// being restored into it, or its demo data are being created.

import type { Db } from '../db.ts';
import type { SchemaDifference } from './diagnosis.ts';
import { SchemaError } from './diagnosis.ts';
import { StorageError } from '../errors.ts';
import type { TenantDatabase } from '../tenant-database.ts';
import { isRestoring } from '../restores/unfinished-restore.ts';

/** How old the last look for a restore can be when a transaction begins. A restore waits for longer before its first row. */
export const restoreCheckMaxAgeMs = 1000;

/**
 * Transactions are refused as `unavailable` until the schema was seen to lack nothing, and again after a failure, since the
 * database may be another one then. `compareSchema` reads what it lacks. Once a second the next transaction first looks
 * whether a restore has begun.
 */
export function withSchemaCheck(
  database: TenantDatabase,
  compareSchema: (deadlineMs: number) => Promise<SchemaDifference>,
): TenantDatabase {
  let isComplete = false;
  let lookedAtMs = 0;
  let running: Promise<void> | undefined;
  const check = async (deadlineMs: number): Promise<void> => {
    const difference = await compareSchema(deadlineMs);
    if (difference.missing.length > 0 || difference.isRestoring || difference.isBeingFilled)
      throw new StorageError('unavailable', new SchemaError(difference));
    isComplete = true;
  };
  const lookForRestore = async (deadlineMs: number): Promise<void> => {
    if (await database.read({ deadlineMs }, (db: Db) => isRestoring(db))) isComplete = false;
  };
  // Any other failure meets the transaction as well.
  const forgetIfUnavailable = (error: unknown): void => {
    if (error instanceof StorageError && error.failure === 'unavailable') isComplete = false;
  };
  const share = (work: () => Promise<void>): Promise<void> => {
    const startedAtMs = performance.now();
    running ??= work()
      .then(() => void (lookedAtMs = startedAtMs))
      .finally(() => (running = undefined));
    return running;
  };
  /** Throws where the database must not be used. */
  const requireUsable = async (deadlineMs: number): Promise<void> => {
    if (isComplete && performance.now() - lookedAtMs <= restoreCheckMaxAgeMs) return;
    if (isComplete) await share(() => lookForRestore(deadlineMs)).catch(forgetIfUnavailable);
    if (!isComplete) await share(() => check(deadlineMs));
  };
  const run = async <T, O extends { readonly deadlineMs: number }>(
    options: O,
    transact: (remaining: O) => Promise<T>,
  ): Promise<T> => {
    const fromMs = performance.now();
    await requireUsable(options.deadlineMs);
    const deadlineMs = Math.max(1, options.deadlineMs - (performance.now() - fromMs));
    try {
      return await transact({ ...options, deadlineMs });
    } catch (error) {
      forgetIfUnavailable(error);
      throw error;
    }
  };
  return {
    ...database,
    read: (options, work) => run(options, (remaining) => database.read(remaining, work)),
    write: (options, work) => run(options, (remaining) => database.write(remaining, work)),
  };
}
