// Simulates a writer that ignores the locks of the service at the worst moment: between the reads and the writes of a
// transaction. A second connection cannot do that on both engines, so the same transaction does it.

import type { Databases } from '../../src/database/databases.ts';
import type { LockableDb } from '../../src/database/db.ts';

export type Interference = {
  readonly databases: Databases;
  /** How often the work of the writes was run. */
  runs(): number;
};

/**
 * In the first run of a write, `interfere` comes right before the first statement that matches. In later runs it comes
 * first of all, since it has happened by then.
 */
export function interfereWithWrites(
  databases: Databases,
  statement: RegExp,
  interfere: (db: LockableDb) => Promise<unknown>,
): Interference {
  let runs = 0;
  const interfereOnce = (db: LockableDb): LockableDb => {
    let hasInterfered = false;
    const before = async (text: string): Promise<void> => {
      if (hasInterfered || !statement.test(text)) return;
      hasInterfered = true;
      await interfere(db);
    };
    const executor = db.getExecutor();
    const executeQuery = executor.executeQuery.bind(executor);
    executor.executeQuery = async (query, ...rest) => {
      await before(query.sql);
      return executeQuery(query, ...rest);
    };
    // Statements built as text bypass the executor.
    const { execute } = db;
    const executeText: typeof execute = async (text, parameters) => {
      await before(text);
      return execute(text, parameters);
    };
    return Object.assign(db, { execute: executeText });
  };
  return {
    runs: () => runs,
    databases: {
      ...databases,
      forTenant: (tenant) => ({
        ...databases.forTenant(tenant),
        write: (options, work) =>
          databases.forTenant(tenant).write(options, async (db) => {
            runs += 1;
            if (runs === 1) return work(interfereOnce(db));
            await interfere(db);
            return work(db);
          }),
      }),
    },
  };
}
