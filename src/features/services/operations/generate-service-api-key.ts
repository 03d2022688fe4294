// GenerateServiceApiKey: makes a new API key for a service, in place of the one that it has. The key itself is in the answer
// alone; its hash is stored. The key gets no more than the rights of the manager who makes it.

import type { WriteDb } from '../../../database/db.ts';
import { isAuthorized } from '../../../http/context/authorize.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { withoutValues } from '../../audit/rules/recorded-values.ts';
import type { PasswordHasher } from '../../credentials/password-hasher.ts';
import { readManagerRights } from '../../credentials/queries/manager-rights.ts';
import { dayOfMonthAt } from '../../icons/day-of-month.ts';
import { serviceGrantAccess } from '../access.ts';
import { requireGrantedService, type GrantedService } from '../granted-service.ts';
import { replaceGrantedOperations } from '../queries/read-access.ts';
import { readService } from '../queries/services.ts';
import { createApiKey } from '../rules/api-key.ts';
import {
  accessAfterNewKey,
  columnsOfAccess,
  isSameAccess,
  recordAccess,
  toReadAccess,
  type ReadAccess,
} from '../rules/read-access.ts';
import { toServiceDetail, type ApiKeyAnswer, type ServiceDetail } from '../schemas.ts';
import { changeService, lockServiceWrite, requireRevision, type FoundService } from '../write-service.ts';

export type GenerateServiceApiKeyInput = {
  readonly serviceKid: KidOf<'service'>;
  readonly expectedRevision: string;
};

export async function generateServiceApiKey(
  context: ManagerContext,
  { serviceKid, expectedRevision }: GenerateServiceApiKeyInput,
  { passwordHasher }: { readonly passwordHasher: PasswordHasher },
): Promise<WriteAnswer<ApiKeyAnswer>> {
  const { serviceId } = requireGrantedService(context.scope, serviceKid);
  const apiKey = createApiKey(serviceId);
  // Before the transaction: nobody waits for a lock while it is hashed.
  const hash = await passwordHasher.hash(apiKey);
  return context.write({
    grant: (scope) => requireGrantedService(scope, serviceKid),
    lock: lockServiceWrite,
    requireObject: async (db, service) => ({ service, row: await readService(db, service) }),
    work: async (db, { service, row }) => {
      requireRevision(row, expectedRevision);
      return { apiKey, service: await storeHash(db, context, { service, row }, hash) };
    },
  });
}

async function storeHash(
  db: WriteDb,
  context: ManagerContext,
  { service, row }: FoundService,
  hash: string,
): Promise<ServiceDetail> {
  const { managerId } = context.principal;
  // As they are in this transaction: those of the request may be older.
  const mayGrant = isAuthorized(serviceGrantAccess, await readManagerRights(db, managerId));
  const before = toReadAccess(row);
  const after = accessAfterNewKey(before, { managerId, mayGrant });
  const change = describeChange(context, service, { before, after, hash });
  await changeService(db, context, { service, row }, change);
  if (!isSameAccess(before, after)) await replaceGrantedOperations(db, service, after.operations);
  const operations = JSON.stringify(after.operations);
  // Whoever gets here may write the service.
  const view = { canEdit: true, dayOfMonth: dayOfMonthAt(context.now) };
  return toServiceDetail(service, { ...row, ...change.columns, operations, revision: row.revision + 1 }, view);
}

type KeyChange = { readonly before: ReadAccess; readonly after: ReadAccess; readonly hash: string };

function describeChange(
  { now, environment }: ManagerContext,
  { tenant }: GrantedService,
  { before, after, hash }: KeyChange,
) {
  const columns = { api_key_hash: hash, api_key_environment: environment };
  // The key is a secret.
  const newKey = withoutValues(['ApiKeyHash']);
  if (isSameAccess(before, after))
    return {
      field: 'ApiKeyHash',
      old_value: null,
      new_value: null,
      columns,
      recorded: { before: null, after: newKey },
    };
  return {
    field: 'ApiKeyHash, ReadAccess',
    old_value: String(before.operations.length),
    new_value: String(after.operations.length),
    columns: { ...columns, ...columnsOfAccess(after, now) },
    recorded: { before: recordAccess(tenant, before), after: { ...newKey, ...recordAccess(tenant, after) } },
  };
}
