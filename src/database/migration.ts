// The type of a migration.

import type { Kysely } from 'kysely';
import type { SqlDialect } from './db.ts';
import type { Tables } from './tables.ts';

/** Changes the schema by one step, on both engines. */
export type PortalMigration = (db: Kysely<Tables>, dialect: SqlDialect) => Promise<void>;
