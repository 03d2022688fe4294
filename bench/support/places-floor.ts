// Floors of the overviews of places: a bare node:http server that runs only the queries of an overview. Run as a
// process of its own: `places-floor.ts KIND DIRECTORY`; prints {"port"}. The counts go through the database layer, as
// in the service; the units are read directly from the file.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabases } from '../../src/database/databases.ts';
import type { Db } from '../../src/database/db.ts';
import { countContactsByBank } from '../../src/features/places/queries/contact-counts.ts';
import { countUnitTypes } from '../../src/features/places/queries/locations.ts';
import { toMs2000 } from '../../src/lib/ms2000.ts';
import { requireCoveredBank } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import { largeBankId, unitsOfFirstLocation } from './places-data.ts';
import { serveFloor } from './serve-floor.ts';

/** A promise or not. */
type FloorQuery = () => unknown;

const operatorScope = createOperatorScope('sund');
const largeBank = requireCoveredBank(operatorScope, { bankId: largeBankId });
const banks = [1001, 1002, 1003, largeBankId];
const firstPage = Array.from({ length: 50 }, (_, at) => at + 1);

function createCountQuery(directory: string, count: (db: Db) => Promise<unknown>): FloorQuery {
  const database = openDatabases({ engine: 'sqlite', directory }).forTenant('sund');
  return () => database.read({ deadlineMs: 10_000 }, count);
}

const setting = (alias: string, name: string): string =>
  `left join unit_settings ${alias} on ${alias}.bank_id = u.bank_id and ${alias}.location_id = u.location_id
     and ${alias}.unit_id = u.unit_id and ${alias}.name = '${name}'`;

function units(directory: string): FloorQuery {
  const statement = new DatabaseSync(join(directory, 'sund.sqlite')).prepare(
    `select u.unit_id, u.name, u.unit_type, u.packed_type, u.enabled, a.value as bookable, b.value as out_of_order,
       c.value as auto_out_of_order
     from units u ${setting('a', 'Bookable')} ${setting('b', 'OutOfOrder')} ${setting('c', 'AutoOutOfOrder')}
     where u.bank_id = ? and u.location_id = ? and u.deleted_at is null order by u.unit_id limit ?`,
  );
  return () => statement.all(largeBankId, 1, unitsOfFirstLocation + 1);
}

const [kind = '', directory = ''] = process.argv.slice(2);
const answers: Readonly<Record<string, () => FloorQuery>> = {
  banks: () => createCountQuery(directory, (db) => countContactsByBank(db, operatorScope, banks, toMs2000(Date.now()))),
  locations: () => createCountQuery(directory, (db) => countUnitTypes(db, largeBank, firstPage)),
  units: () => units(directory),
};
const answer = answers[kind]?.();
if (answer === undefined) throw new Error(`there is no floor ${kind}`);

serveFloor(answer);
