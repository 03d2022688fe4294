// Floors of a unit's reads: a bare node:http server with node:sqlite in its own thread, which reads the unit, and either
// the counts of its values or the settings of one group, and answers the rows. Run as a process of its own:
// `settings-floor.ts FILE overview|group`; prints {"port"}.

import { DatabaseSync } from 'node:sqlite';
import { unitTypeCode } from '../../src/features/places/rules/unit-types.ts';
import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { serveFloor } from './serve-floor.ts';

const [file = '', what = 'group'] = process.argv.slice(2);
const database = new DatabaseSync(file);
const ofUnit = 'bank_id = ? and location_id = ? and unit_id = ?';
/** The names of a washer's group are the catalogue's; the unit is a washer. */
const group = typeCatalogueOf(unitTypeCode('washer')).visibleByGroup.get('Operation') ?? [];
const names = group.map(({ name }) => `'${name}'`).join();

const unit = `select u.unit_id, u.name, u.unit_type, u.packed_type, u.enabled, l.name as location_name, l.time_zone,
    b.currency, b.bank_type
  from units u
  join locations l on l.bank_id = u.bank_id and l.location_id = u.location_id join banks b on b.bank_id = u.bank_id
  where u.bank_id = ? and u.location_id = ? and u.unit_id = ?
  and u.deleted_at is null and l.deleted_at is null and b.deleted_at is null`;
const statements: Readonly<Record<string, readonly string[]>> = {
  overview: [
    unit,
    `select count(*), max(version) from unit_settings where ${ofUnit}`,
    `select count(*), max(reported_at), sum(reported_at) from unit_states where ${ofUnit}`,
  ],
  group: [
    unit,
    `select s.name, s.value, s.version, s.changed_at, s.sync_id, m.name as editor_name, d.state
     from unit_settings s left join managers m on m.manager_id = s.editor_id
     left join device_sync d on d.bank_id = s.bank_id and d.sync_id = s.sync_id
     where s.bank_id = ? and s.location_id = ? and s.unit_id = ? and s.name in (${names})`,
  ],
};
const queries = statements[what];
if (queries === undefined) throw new Error(`there is no floor ${what}`);
const prepared = queries.map((statement) => database.prepare(statement));

serveFloor(() => prepared.map((statement) => statement.all(1001, 1, 1)));
