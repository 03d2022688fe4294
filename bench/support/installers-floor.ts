// Floors of lists of installers: bare node:http servers that run the query of a page with node:sqlite, in two processes.
// Run as a process of its own: `installers-floor.ts KIND FILE`; prints {"port"}.

import { installerCount } from './installers-data.ts';
import { serveListFloor } from './list-floor.ts';

const [kind = '', file = ''] = process.argv.slice(2);

serveListFloor(file, kind, installerCount, {
  rows: `i.installer_id, i.name, i.email, i.phone, i.organisation, i.state, i.last_activity_at, i.person_icon,
    i.icon_revision,
    (select json_group_array(t.tag) from installer_tags t where t.installer_id = i.installer_id) as tags,
    (select json_group_array(json_array(il.bank_id, il.location_id, l.name)) from installer_locations il
      join locations l on l.bank_id = il.bank_id and l.location_id = il.location_id
      join banks b on b.bank_id = il.bank_id
      where il.installer_id = i.installer_id and l.deleted_at is null and b.deleted_at is null) as locations
    from {page} cross join installers i on i.installer_id = page.id`,
  ids: `select i.installer_id as id, i.name_key as sort_key from installers i where {search}
    order by i.name_key, i.installer_id`,
  hasWord: 'i.installer_id in (select installer_id from installer_words where word >= ? and word < ?)',
});
