// Reads the rights of managers.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import { isPermission, isTab } from '../../../permissions/matrix.ts';
import type { Rights } from '../../../permissions/needs.ts';
import { toGrants } from '../rules/grants.ts';

/** Tabs, permissions and grants of a manager, in one query. */
export async function readManagerRights(db: Db, managerId: number): Promise<Rights> {
  const none = sql<number>`0`;
  const rows = await runPrepared(db, 'rights of a manager', { managerId }, (bind) =>
    db
      .selectFrom('manager_tabs')
      .select([sql<string>`'tab'`.as('kind'), 'tab as name', none.as('bank_id'), none.as('location_id')])
      .where('manager_id', '=', bind<number>('managerId'))
      .unionAll((eb) =>
        eb
          .selectFrom('manager_permissions')
          .select([
            sql<string>`'permission'`.as('kind'),
            'permission as name',
            none.as('bank_id'),
            none.as('location_id'),
          ])
          .where('manager_id', '=', bind<number>('managerId')),
      )
      .unionAll((eb) =>
        eb
          .selectFrom('manager_grants')
          .select([sql<string>`'grant'`.as('kind'), sql<string>`''`.as('name'), 'bank_id', 'location_id'])
          .where('manager_id', '=', bind<number>('managerId')),
      ),
  );
  const namesOfKind = (kind: string): string[] => rows.filter((row) => row.kind === kind).map(({ name }) => name);
  return {
    tabs: new Set(namesOfKind('tab').filter(isTab)),
    permissions: new Set(namesOfKind('permission').filter(isPermission)),
    grants: toGrants(rows.filter(({ kind }) => kind === 'grant')),
  };
}

/** Lists the rights of many managers, by their ids. */
export async function listManagersRights(db: Db, managerIds: readonly number[]): Promise<ReadonlyMap<number, Rights>> {
  if (managerIds.length === 0) return new Map();
  const isWanted = db.dialect.inList(sql.ref('manager_id'), managerIds);
  const [tabs, permissions, grants] = await Promise.all([
    db.selectFrom('manager_tabs').selectAll().where(isWanted).execute(),
    db.selectFrom('manager_permissions').selectAll().where(isWanted).execute(),
    db.selectFrom('manager_grants').selectAll().where(isWanted).execute(),
  ]);
  const tabsOf = Map.groupBy(tabs, ({ manager_id }) => manager_id);
  const permissionsOf = Map.groupBy(permissions, ({ manager_id }) => manager_id);
  const grantsOf = Map.groupBy(grants, ({ manager_id }) => manager_id);
  return new Map(
    managerIds.map((id) => [
      id,
      {
        tabs: new Set((tabsOf.get(id) ?? []).map(({ tab }) => tab).filter(isTab)),
        permissions: new Set((permissionsOf.get(id) ?? []).map(({ permission }) => permission).filter(isPermission)),
        grants: toGrants(grantsOf.get(id) ?? []),
      },
    ]),
  );
}
