// Floors of lists of managers: bare node:http servers that run the query of a page with node:sqlite, in two processes.
// Run as a process of its own: `managers-floor.ts KIND FILE`; prints {"port"}.

import { serveListFloor } from './list-floor.ts';
import { managerCount } from './managers-data.ts';

const [kind = '', file = ''] = process.argv.slice(2);

serveListFloor(file, kind, managerCount, {
  rows: `m.manager_id, m.user_name, m.name, m.email, m.organisation, m.person_icon, m.active, m.revision,
    a.last_seen_at,
    exists (select 1 from manager_grants g
      where g.manager_id = m.manager_id and g.bank_id = 0 and g.location_id = 0) as tenant_wide,
    (select group_concat(p.permission) from manager_permissions p where p.manager_id = m.manager_id) as permissions
    from {page} cross join managers m on m.manager_id = page.id
    left join manager_activity a on a.manager_id = m.manager_id`,
  ids: `select m.manager_id as id, m.name_key as sort_key from managers m where m.deleted_at is null and {search}
    order by m.name_key, m.manager_id`,
  hasWord: 'm.manager_id in (select manager_id from manager_words where word >= ? and word < ?)',
});
