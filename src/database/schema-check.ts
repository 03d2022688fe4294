// Refuses transactions on a database whose schema lacks what the code needs.

import type { SchemaDifference } from './diagnosis.ts';
import { SchemaError } from './diagnosis.ts';
import { StorageError } from './errors.ts';
import type { TenantDatabase } from './tenant-database.ts';

/**
 * Transactions are refused as `unavailable` until the schema was once seen to lack nothing. `compareSchema` reads what
 * it lacks.
 */
export function withSchemaCheck(
  database: TenantDatabase,
  compareSchema: () => Promise<SchemaDifference>,
): TenantDatabase {
  let isComplete = false;
  let running: Promise<void> | undefined;
  const check = async (): Promise<void> => {
    const difference = await compareSchema();
    if (difference.missing.length > 0 || difference.isRestoring)
      throw new StorageError('unavailable', new SchemaError(difference));
    isComplete = true;
  };
  const requireComplete = (): Promise<void> => {
    running ??= check().finally(() => (running = undefined));
    return running;
  };
  return {
    ...database,
    read: (options, work) =>
      isComplete ? database.read(options, work) : requireComplete().then(() => database.read(options, work)),
    write: (options, work) =>
      isComplete ? database.write(options, work) : requireComplete().then(() => database.write(options, work)),
  };
}
