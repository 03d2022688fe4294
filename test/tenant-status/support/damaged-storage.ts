// Storage of which a part fails or hangs: tables and columns that are renamed, tables that are locked (MariaDB) or never
// come to an end (SQLite).

import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { TestService } from '../../support/service.ts';

export type StorageAdmin = {
  run(...statements: string[]): Promise<void>;
  /** Lets every read of these tables wait, or go on, for ever. */
  hang(...tables: HangingTable[]): Promise<void>;
  /** Undoes the damage. */
  release(): Promise<void>;
  close(): Promise<void>;
};

export type HangingTable = 'units' | 'unit_settings';

/**
 * Slow rows without end. The function of the service's connections, by which they stop their own scans, stops these,
 * wherever in a query they stand.
 */
const endlessRows = `(with recursive n(i) as (
    select 1 union all select i + 1 from n where length(randomblob(100000)) > 0 and (i & 15 <> 0 or alive())
  ) select i from n)`;

const endlessViews: Readonly<Record<HangingTable, string>> = {
  units: `create view units as select r.bank_id, r.location_id, r.unit_id, r.name, r.unit_type, r.packed_type,
      r.last_contact_at, r.computer_name, r.cluster, r.deleted_at
    from real_units r join ${endlessRows} n`,
  unit_settings: `create view unit_settings as select r.bank_id, r.location_id, r.unit_id, r.name, r.value, r.changed_at
    from real_unit_settings r join ${endlessRows} n`,
};

/** A session of somebody else on the database of a tenant. */
export async function openStorageAdmin({ dependencies }: TestService, tenant: string): Promise<StorageAdmin> {
  const { storage } = dependencies.config;
  if (storage.engine === 'sqlite') return openFile(join(storage.directory, `${tenant}.sqlite`));
  const { nodes, user, password, prefix } = storage;
  const session = await createConnection({ ...nodes[0], user, password, database: `${prefix}${tenant}` });
  const run = async (...statements: string[]): Promise<void> => {
    for (const statement of statements) await session.query<RowDataPacket[]>(statement);
  };
  return {
    run,
    hang: (...tables) => run(`lock tables ${tables.map((table) => `${table} write`).join()}`),
    release: () => run('unlock tables'),
    close: () => session.end(),
  };
}

function openFile(file: string): StorageAdmin {
  const session = new DatabaseSync(file, { timeout: 5000 });
  const hanging: HangingTable[] = [];
  const run = async (...statements: string[]): Promise<void> => session.exec(statements.join(';'));
  return {
    run,
    hang: async (...tables) => {
      hanging.push(...tables);
      for (const table of tables) await run(`alter table ${table} rename to real_${table}`, endlessViews[table]);
    },
    release: async () => {
      for (const table of hanging.splice(0))
        await run(`drop view ${table}`, `alter table real_${table} rename to ${table}`);
    },
    close: async () => session.close(),
  };
}
