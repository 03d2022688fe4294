// Floors of lists of residents: bare node:http servers that run the query of a page with node:sqlite, in two processes.
// Run as a process of its own: `residents-floor.ts KIND FILE`; prints {"port"}.

import { serveListFloor } from './list-floor.ts';
import { fullBank } from './residents-data.ts';

const { bankId, residents } = fullBank;
const [kind = '', file = ''] = process.argv.slice(2);

serveListFloor(file, kind, residents, {
  rows: `r.resident_id, r.name, r.apartment, r.email, r.phone, r.phone_number, r.language, r.enabled, r.deleted_at,
    r.expired_at, r.revision, l.location_id, l.name as location_name, r.pin_hash is not null as has_pin
    from {page} cross join residents r on r.bank_id = ${bankId} and r.resident_id = page.id
    left join locations l on l.bank_id = r.bank_id and l.location_id = r.location_id and l.deleted_at is null`,
  ids: `select r.resident_id as id, r.name_key as sort_key from residents r
    where r.bank_id = ${bankId} and r.deleted_at is null and r.expired_at is null and {search}
    order by r.name_key, r.resident_id`,
  hasWord: `r.resident_id in (select resident_id from resident_words
    where bank_id = ${bankId} and word >= ? and word < ?)`,
});
