// The floor of the tenant status: a bare node:http server that runs its two queries with node:sqlite, in two processes.
// Run as a process of its own: `tenant-status-floor.ts FILE`; prints {"port"}.

import { DatabaseSync } from 'node:sqlite';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { readerProcesses, serveFloor } from './serve-floor.ts';

const [file = ''] = process.argv.slice(2);
const database = new DatabaseSync(file);
const hourMs = 3_600_000;
const columns = `u.bank_id, u.location_id, u.unit_id, u.name, u.unit_type, u.packed_type, u.computer_name,
  b.name as bank_name, b.bank_type, b.icon as bank_icon, l.name as location_name, l.icon as location_icon`;
const places = `join locations l on l.bank_id = u.bank_id and l.location_id = u.location_id
  join banks b on b.bank_id = u.bank_id`;
const isVisible = 'l.enabled = 1 and u.deleted_at is null and l.deleted_at is null and b.deleted_at is null';
// The default limit, and one more row that shows whether there are more. Ids are sorted as texts.
const page = 'cast(u.bank_id as char), cast(u.location_id as char), cast(u.unit_id as char) limit 201';

/** Units in banks of type 1 are offline after an hour without contact, others after a day; after 100 days it is unknown. */
const offline = database.prepare(
  `select ${columns}, u.last_contact_at from units u ${places}
   where u.last_contact_at between :unknown and :hourAgo and (b.bank_type = 1 or +u.last_contact_at <= :dayAgo)
     and b.bank_type <> 0 and (u.cluster is null or u.cluster <> 'test') and ${isVisible}
   order by u.last_contact_at desc, ${page}`,
);
const outOfOrder = database.prepare(
  `select ${columns}, s.value as error_id, t.value as error_text, s.changed_at from units u ${places}
   join unit_settings s on s.bank_id = u.bank_id and s.location_id = u.location_id and s.unit_id = u.unit_id
   left join unit_states e on e.bank_id = u.bank_id and e.location_id = u.location_id and e.unit_id = u.unit_id
     and e.name = 'ErrorId' and e.value = s.value
   left join unit_states t on t.bank_id = e.bank_id and t.location_id = e.location_id and t.unit_id = e.unit_id
     and t.name = 'ErrorText'
   where s.name = 'AutoOutOfOrder' and s.value >= '1' and s.value < ':' and u.unit_type > 0 and ${isVisible}
   order by s.changed_at desc, ${page}`,
);

serveFloor(() => {
  const now = toMs2000(Date.now());
  const bounds = { hourAgo: now - hourMs, dayAgo: now - 24 * hourMs, unknown: now - 2400 * hourMs };
  return [offline.all(bounds), outOfOrder.all()];
}, readerProcesses);
