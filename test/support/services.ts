// How a test asks for services, and what is stored of them.

import { randomBytes } from 'node:crypto';
import type { Db, WriteDb } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';
import { secretBytes } from '../../src/lib/values/checksummed-secret.ts';
import { formatApiKey } from '../../src/features/services/rules/api-key.ts';
import { serviceIdOf, type ServiceIdentity } from '../../src/features/services/rules/service-catalogue.ts';
import type { CallOptions } from './call.ts';
import type { ReplyOf } from './operation-replies.ts';
import type { TestService } from './service.ts';

export const servicesPath = '/api/v1/services';

export const serviceKid = (identity: ServiceIdentity, tenant = 'sund'): string =>
  `${tenant}-B0-M${serviceIdOf(identity)}`;

export const servicePath = (identity: ServiceIdentity, rest = ''): string =>
  `${servicesPath}/${serviceKid(identity)}${rest}`;

/** A key that no service has. */
export const createApiKey = (serviceId: number): string => formatApiKey(serviceId, randomBytes(secretBytes));

type Caller = Pick<TestService, 'call'>;

export const getService = (
  { call }: Caller,
  identity: ServiceIdentity,
  options: CallOptions,
): Promise<ReplyOf<'GetService'>> => call('GET', servicePath(identity), options);

type RevisionOptions = CallOptions & { readonly expectedRevision?: string };

export const setServiceField = (
  { call }: Caller,
  identity: ServiceIdentity,
  field: string,
  value: unknown,
  { expectedRevision = '1', ...options }: RevisionOptions,
): Promise<ReplyOf<'SetServiceProfileField'>> =>
  call('POST', servicePath(identity, `/profile/${field}`), { body: { value, expectedRevision }, ...options });

export const generateApiKey = (
  { call }: Caller,
  identity: ServiceIdentity,
  { expectedRevision = '1', ...options }: RevisionOptions,
): Promise<ReplyOf<'GenerateServiceApiKey'>> =>
  call('POST', servicePath(identity, '/api-key'), { body: { expectedRevision }, ...options });

export const setReadAccess = (
  { call }: Caller,
  identity: ServiceIdentity,
  operations: readonly unknown[],
  { expectedRevision = '1', ...options }: RevisionOptions,
): Promise<ReplyOf<'SetServiceReadAccess'>> =>
  call('PUT', servicePath(identity, '/read-access'), { body: { operations, expectedRevision }, ...options });

export async function updateService(
  db: WriteDb,
  identity: ServiceIdentity,
  change: Partial<Tables['services']>,
): Promise<void> {
  await db.updateTable('services').set(change).where('service_id', '=', serviceIdOf(identity)).execute();
}

export type ServiceRecord = {
  readonly row: Tables['services'];
  readonly history: readonly Tables['service_history'][];
  readonly audit: readonly Pick<Tables['audit_entries'], 'operation' | 'old_values' | 'new_values' | 'actor_id'>[];
};

/** All that is stored of a service, oldest first. */
export const readServiceRecord = (
  { read }: Pick<TestService, 'read'>,
  identity: ServiceIdentity,
): Promise<ServiceRecord> =>
  read('sund', async (db: Db) => {
    const serviceId = serviceIdOf(identity);
    const history = db
      .selectFrom('service_history')
      .selectAll()
      .where('service_id', '=', serviceId)
      .orderBy('revision');
    const row = db.selectFrom('services').selectAll().where('service_id', '=', serviceId);
    const audit = db
      .selectFrom('audit_entries')
      .select(['operation', 'old_values', 'new_values', 'actor_id'])
      .where('object', '=', serviceKid(identity))
      .orderBy('sequence');
    return {
      row: await row.executeTakeFirstOrThrow(),
      history: await history.execute(),
      audit: await audit.execute(),
    };
  });

/** What a write of a service can change, without the count of the attempts. */
export async function readServiceContent(
  service: Pick<TestService, 'read'>,
  identity: ServiceIdentity,
): Promise<unknown> {
  const { row, ...others } = await readServiceRecord(service, identity);
  return { ...row, writes: undefined, ...others };
}

/** The ids of the operations on services that the OpenAPI document publishes, sorted. */
export async function readOperationIds(service: TestService): Promise<string[]> {
  const { json } = await service.call('GET', '/openapi/portal-v1.json');
  const paths = Object.entries<Record<string, { readonly operationId?: string }>>(json.paths);
  const ofServices = paths.filter(([path]) => path.startsWith(servicesPath));
  return ofServices
    .flatMap(([, methods]) => Object.values(methods).flatMap((each) => each.operationId ?? []))
    .toSorted();
}
