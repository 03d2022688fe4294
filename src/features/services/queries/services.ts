// Reads the service identities of a tenant.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { StoredService } from '../require-service.ts';

export type ServiceRow = Pick<Tables['services'], 'service_id' | 'name' | 'icon' | 'api_key_hash' | 'revision'>;

/** A service with what its key may read. */
export type ServiceDetailRow = ServiceRow &
  Pick<Tables['services'], 'api_key_made_by' | 'api_key_made_at' | 'access_granted_by' | 'access_granted_at'> & {
    /** JSON of the ids of the operations, in no order; null if there are none. */
    readonly operations: string | null;
    readonly last_used_at: number | null;
  };

const columns = ['service_id', 'name', 'icon', 'api_key_hash', 'revision'] as const satisfies (keyof ServiceRow)[];

/** All services of the scope's tenant. */
export const listServices = (db: Db, _scope: Scope): Promise<ServiceRow[]> =>
  runPrepared(db, 'services', {}, () => db.selectFrom('services').select(columns).orderBy('service_id'));

/** Every service of the catalogue has a row. */
export async function readService(db: Db, { serviceId }: StoredService): Promise<ServiceDetailRow> {
  const [row] = await runPrepared(db, 'service', { serviceId }, (bind) =>
    db
      .selectFrom('services as s')
      .leftJoin('service_key_uses as u', 'u.service_id', 's.service_id')
      .select(columns.map((column) => `s.${column}` as const))
      .select(['s.api_key_made_by', 's.api_key_made_at', 's.access_granted_by', 's.access_granted_at'])
      .select('u.last_used_at')
      .select(
        db
          .selectFrom('service_operations as o')
          .select(db.dialect.aggregateJson(sql.ref('o.operation_id')).as('operations'))
          .where('o.service_id', '=', bind<number>('serviceId'))
          .as('operations'),
      )
      .where('s.service_id', '=', bind<number>('serviceId')),
  );
  if (row === undefined) throw new Error(`service ${serviceId} has no row`);
  return row;
}
