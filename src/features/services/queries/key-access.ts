// Reads in one query whether a key of a service is valid and what it may read: the hash, the granted operations, and
// the present rights of the manager who granted them.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared, type BindParameter } from '../../../database/prepared-query.ts';
import { isPermission, isTab } from '../../../permissions/matrix.ts';
import type { Rights } from '../../../permissions/needs.ts';
import { toGrants } from '../../managers/rules/grants.ts';

export type KeyAccess = {
  readonly serviceId: number;
  readonly hash: string;
  /** The environment in which the key was made. */
  readonly environment: string | null;
  readonly operations: ReadonlySet<string>;
  /** Those of the manager who granted the operations. */
  readonly rights: Rights;
  readonly retentionDays: number | null;
  /** The stored time, MS2000. */
  readonly lastUsedAt: number | null;
};

type Row = {
  readonly kind: string;
  readonly text: string | null;
  readonly environment: string | null;
  readonly a: number | null;
  readonly b: number | null;
};

/** Undefined if the service has no key, or no active manager has granted it anything. */
export async function findKeyAccess(db: Db, serviceId: number): Promise<KeyAccess | undefined> {
  const rows: Row[] = await runPrepared(db, 'access of a service key', { serviceId }, (bind) => selectAll(db, bind));
  const key = rows.find(({ kind }) => kind === 'key');
  if (key === undefined || key.text === null) return undefined;
  const textsOf = (kind: string): string[] => rows.flatMap((row) => (row.kind === kind ? [row.text ?? ''] : []));
  const grants = rows.filter(({ kind }) => kind === 'grant');
  return {
    serviceId,
    hash: key.text,
    environment: key.environment,
    operations: new Set(textsOf('operation')),
    rights: {
      tabs: new Set(textsOf('tab').filter(isTab)),
      permissions: new Set(textsOf('permission').filter(isPermission)),
      grants: toGrants(grants.map(({ a, b }) => ({ bank_id: a ?? 0, location_id: b ?? 0 }))),
    },
    retentionDays: key.a,
    lastUsedAt: key.b,
  };
}

const none = sql<null>`null`;

function selectAll(db: Db, bind: BindParameter) {
  const serviceId = bind<number>('serviceId');
  const kindOf = (kind: string) => sql<string>`${sql.lit(kind)}`.as('kind');
  const granter = () => db.selectFrom('services as s').where('s.service_id', '=', serviceId);
  const noNumbers = [none.as('environment'), none.as('a'), none.as('b')] as const;
  return granter()
    .innerJoin('managers as m', 'm.manager_id', 's.access_granted_by')
    .leftJoin('service_key_uses as u', 'u.service_id', 's.service_id')
    .where('m.active', '=', sql.lit(1))
    .where('m.deleted_at', 'is', null)
    .select([kindOf('key'), 's.api_key_hash as text', 's.api_key_environment as environment'])
    .select(['m.retention_days as a', 'u.last_used_at as b'])
    .unionAll(
      db
        .selectFrom('service_operations as o')
        .where('o.service_id', '=', serviceId)
        .select([kindOf('operation'), 'o.operation_id as text', ...noNumbers]),
    )
    .unionAll(
      granter()
        .innerJoin('manager_tabs as t', 't.manager_id', 's.access_granted_by')
        .select([kindOf('tab'), 't.tab as text', ...noNumbers]),
    )
    .unionAll(
      granter()
        .innerJoin('manager_permissions as p', 'p.manager_id', 's.access_granted_by')
        .select([kindOf('permission'), 'p.permission as text', ...noNumbers]),
    )
    .unionAll(
      granter()
        .innerJoin('manager_grants as g', 'g.manager_id', 's.access_granted_by')
        .select([kindOf('grant'), none.as('text'), none.as('environment'), 'g.bank_id as a', 'g.location_id as b']),
    );
}
