// Floors of the overviews of places: bare node:http servers that run the query of an overview with node:sqlite, in two
// processes. Run as a process of its own: `places-floor.ts KIND FILE`; prints {"port"}.

import { DatabaseSync } from 'node:sqlite';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { largeBankId, unitsOfFirstLocation } from './places-data.ts';
import { readerProcesses, serveFloor } from './serve-floor.ts';

const [kind = '', file = ''] = process.argv.slice(2);
const database = new DatabaseSync(file);
const hourMs = 3_600_000;

/** Units in banks of type 1 are offline after an hour without contact, others after a day; after 100 days it is unknown. */
function countContacts(): () => unknown {
  const onlineAfter = 'case b.bank_type when 1 then :hourAgo else :dayAgo end';
  const statement = database.prepare(
    `select b.bank_id, count(case when u.last_contact_at > ${onlineAfter} then 1 end) as online,
       count(case when u.last_contact_at >= :unknown and u.last_contact_at <= ${onlineAfter} then 1 end) as offline
     from banks b join locations l on l.bank_id = b.bank_id
     left join units u on u.bank_id = l.bank_id and u.location_id = l.location_id and u.deleted_at is null
     where b.bank_id in (1001, 1002, 1003, ${largeBankId}) and l.deleted_at is null group by b.bank_id`,
  );
  return () => {
    const now = toMs2000(Date.now());
    return statement.all({ hourAgo: now - hourMs, dayAgo: now - 24 * hourMs, unknown: now - 2400 * hourMs });
  };
}

/** A type that is packed begins at its second bit. */
function countTypes(): () => unknown {
  const firstPage = Array.from({ length: 50 }, (_, at) => at + 1).join();
  const statement = database.prepare(
    `select location_id, case when unit_type > 0 then unit_type else (coalesce(packed_type, 0) >> 1) & 255 end as code,
       count(*) as count
     from units where bank_id = ? and location_id in (${firstPage}) and deleted_at is null
     group by location_id, code order by location_id, code`,
  );
  return () => statement.all(largeBankId);
}

const setting = (alias: string, name: string): string =>
  `left join unit_settings ${alias} on ${alias}.bank_id = u.bank_id and ${alias}.location_id = u.location_id
     and ${alias}.unit_id = u.unit_id and ${alias}.name = '${name}'`;

function listUnits(): () => unknown {
  const statement = database.prepare(
    `select u.unit_id, u.name, u.unit_type, u.packed_type, u.enabled, a.value as bookable, b.value as out_of_order,
       c.value as auto_out_of_order
     from units u ${setting('a', 'Bookable')} ${setting('b', 'OutOfOrder')} ${setting('c', 'AutoOutOfOrder')}
     where u.bank_id = ? and u.location_id = ? and u.deleted_at is null order by u.unit_id limit ?`,
  );
  return () => statement.all(largeBankId, 1, unitsOfFirstLocation + 1);
}

const createQuery = { banks: countContacts, locations: countTypes, units: listUnits }[kind];
if (createQuery === undefined) throw new Error(`there is no floor ${kind}`);

serveFloor(createQuery(), readerProcesses);
