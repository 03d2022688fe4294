// Reads the service identities of a tenant.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { GrantedService } from '../granted-service.ts';

export type ServiceRow = Pick<Tables['services'], 'service_id' | 'name' | 'icon' | 'api_key_hash' | 'revision'>;

const columns = ['service_id', 'name', 'icon', 'api_key_hash', 'revision'] as const satisfies (keyof ServiceRow)[];

/** All services of the tenant that the scope is of. */
export const listServices = (db: Db, _scope: Scope): Promise<ServiceRow[]> =>
  runPrepared(db, 'services', {}, () => db.selectFrom('services').select(columns).orderBy('service_id'));

/** Every service of the catalogue has a row. */
export async function readService(db: Db, { serviceId }: GrantedService): Promise<ServiceRow> {
  const [row] = await runPrepared(db, 'service', { serviceId }, (bind) =>
    db.selectFrom('services').select(columns).where('service_id', '=', bind<number>('serviceId')),
  );
  if (row === undefined) throw new Error(`service ${serviceId} has no row`);
  return row;
}
