// Reads in one query whether a key of a service is valid and what it may read: the hash, the granted operations, and
// the present rights of the manager who made the key and of the one who granted the operations.

import { sql, type InferResult } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared, type BindParameter } from '../../../database/statements/prepared-query.ts';
import { isPermission, isTab } from '../../../permissions/matrix.ts';
import type { Rights } from '../../../permissions/needs.ts';
import { toGrants } from '../../managers/rules/grants.ts';

/** What a manager may do now. */
type KeyManager = { readonly rights: Rights; readonly retentionDays: number };

export type KeyAccess = {
  readonly serviceId: number;
  readonly hash: string;
  /** The environment in which the key was made. */
  readonly environment: string | null;
  readonly operations: ReadonlySet<string>;
  /** Who made the key. */
  readonly maker: KeyManager;
  /** Who granted the operations. */
  readonly granter: KeyManager;
  /** The stored time, MS2000. */
  readonly lastUsedAt: number | null;
};

type Row = InferResult<ReturnType<typeof selectAll>>[number];

/** Undefined if the service has no key, or not both managers are active. */
export async function findKeyAccess(db: Db, serviceId: number): Promise<KeyAccess | undefined> {
  const rows: Row[] = await runPrepared(db, 'access of a service key', { serviceId }, (bind) => selectAll(db, bind));
  const key = rows.find(({ kind }) => kind === 'key');
  if (key === undefined || key.text === null) return undefined;
  const [maker, granter] = [findKeyManager(rows, key.a), findKeyManager(rows, key.manager_id)];
  if (maker === undefined || granter === undefined) return undefined;
  return {
    serviceId,
    hash: key.text,
    environment: key.environment,
    operations: new Set(textsOf(rows, 'operation')),
    maker,
    granter,
    lastUsedAt: key.b,
  };
}

const textsOf = (rows: readonly Row[], kind: string): string[] =>
  rows.flatMap((row) => (row.kind === kind ? [row.text ?? ''] : []));

/** Undefined if the manager is not active. */
function findKeyManager(rows: readonly Row[], managerId: number | null): KeyManager | undefined {
  const own = rows.filter(({ manager_id }) => manager_id === managerId);
  const manager = own.find(({ kind }) => kind === 'manager');
  if (manager === undefined) return undefined;
  const grants = own.filter(({ kind }) => kind === 'grant');
  return {
    rights: {
      tabs: new Set(textsOf(own, 'tab').filter(isTab)),
      permissions: new Set(textsOf(own, 'permission').filter(isPermission)),
      grants: toGrants(grants.map(({ a, b }) => ({ bank_id: a ?? 0, location_id: b ?? 0 }))),
    },
    retentionDays: manager.a ?? 0,
  };
}

const none = sql<null>`null`;

function selectAll(db: Db, bind: BindParameter) {
  const serviceId = bind<number>('serviceId');
  const kindOf = (kind: string) => sql<string>`${sql.lit(kind)}`.as('kind');
  const service = () => db.selectFrom('services as s').where('s.service_id', '=', serviceId);
  const managerId = sql.ref<number>('r.manager_id');
  const ofBoth = sql<boolean>`${managerId} in (${sql.ref('s.api_key_made_by')}, ${sql.ref('s.access_granted_by')})`;
  const noNumbers = [none.as('environment'), none.as('a'), none.as('b')] as const;
  return service()
    .leftJoin('service_key_uses as u', 'u.service_id', 's.service_id')
    .select([kindOf('key'), 's.access_granted_by as manager_id', 's.api_key_hash as text'])
    .select(['s.api_key_environment as environment', 's.api_key_made_by as a', 'u.last_used_at as b'])
    .unionAll(
      db
        .selectFrom('service_operations as o')
        .where('o.service_id', '=', serviceId)
        .select([kindOf('operation'), none.as('manager_id'), 'o.operation_id as text', ...noNumbers]),
    )
    .unionAll(
      service()
        .innerJoin('managers as r', (join) => join.on(ofBoth))
        .where('r.active', '=', sql.lit(1))
        .where('r.deleted_at', 'is', null)
        .select([kindOf('manager'), 'r.manager_id', none.as('text'), none.as('environment')])
        .select(['r.retention_days as a', none.as('b')]),
    )
    .unionAll(
      service()
        .innerJoin('manager_tabs as r', (join) => join.on(ofBoth))
        .select([kindOf('tab'), 'r.manager_id', 'r.tab as text', ...noNumbers]),
    )
    .unionAll(
      service()
        .innerJoin('manager_permissions as r', (join) => join.on(ofBoth))
        .select([kindOf('permission'), 'r.manager_id', 'r.permission as text', ...noNumbers]),
    )
    .unionAll(
      service()
        .innerJoin('manager_grants as r', (join) => join.on(ofBoth))
        .select([kindOf('grant'), 'r.manager_id', none.as('text'), none.as('environment')])
        .select(['r.bank_id as a', 'r.location_id as b']),
    );
}
