// GenerateServiceApiKey: creates a new API key for a service, which replaces the present key.

import type { Static } from 'typebox';
import type { ExpectedRevision } from '../../../http/schemas/schema-types.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { randomBytes } from 'node:crypto';
import type { WriteDb } from '../../../database/db.ts';
import { isAuthorized } from '../../../http/requests/authorize.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { queueKeyOf } from '../../../http/context/principal.ts';
import { secretBytes } from '../../../lib/values/checksummed-secret.ts';
import { withoutValues } from '../../audit/rules/recorded-values.ts';
import type { PasswordHasher } from '../../passwords/process/password-hasher.ts';
import { readManagerRights } from '../../managers/queries/manager-rights.ts';
import { dayOfMonthAt } from '../../icons/rules/day-of-month.ts';
import { serviceGrantAccess } from '../access.ts';
import { requireGrantedService, type GrantedService } from '../require-service.ts';
import { replaceGrantedOperations } from '../queries/write-service.ts';
import { readService } from '../queries/services.ts';
import { formatApiKey } from '../rules/api-key.ts';
import {
  accessAfterNewKey,
  columnsOfAccess,
  isSameAccess,
  recordAccess,
  toReadAccess,
  type ReadAccess,
} from '../rules/read-access.ts';
import { toServiceDetail } from '../answers.ts';
import type { ServiceApiKey, ServiceDetail, ServiceParams } from '../schemas.ts';
import { changeService, serviceLocks, requireServiceRevision, type FoundService } from '../change-service.ts';

type GenerateServiceApiKeyInput = Static<typeof ServiceParams> & Static<typeof ExpectedRevision>;

/**
 * Only the answer contains the key; the database stores the hash of the key. The key never has more rights than the
 * manager who creates the key has at each call.
 */
export async function generateServiceApiKey(
  context: ManagerContext,
  { serviceKid, expectedRevision }: GenerateServiceApiKeyInput,
  { passwordHasher }: { readonly passwordHasher: PasswordHasher },
): Promise<WriteAnswer<ServiceApiKey>> {
  const { serviceId } = requireGrantedService(context.scope, serviceKid);
  const apiKey = formatApiKey(serviceId, randomBytes(secretBytes));
  const turn = { key: queueKeyOf(context.tenant, context.principal) };
  let hash = '';
  return context.write({
    grant: (scope) => requireGrantedService(scope, serviceKid),
    locks: serviceLocks,
    requireObject: async (db, service) => ({ service, row: await readService(db, service) }),
    prepare: async ({ row }) => {
      requireServiceRevision(row, expectedRevision);
      hash = await passwordHasher.hash(apiKey, { turn });
    },
    work: async (db, { service, row }) => {
      requireServiceRevision(row, expectedRevision);
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
  const { id: managerId } = context.principal;
  // The rights that the request read can be outdated.
  const mayGrant = isAuthorized(serviceGrantAccess, await readManagerRights(db, managerId));
  const before = toReadAccess(row);
  const after = accessAfterNewKey(before, { managerId, mayGrant });
  const change = describeChange(context, service, { before, after, hash });
  await changeService(db, createManagerAuditContext(context), { service, row }, change);
  if (!isSameAccess(before, after)) await replaceGrantedOperations(db, service, after.operations);
  const operations = JSON.stringify(after.operations);
  // The caller was authorized for this operation, and so may write.
  const view = { canEdit: true, dayOfMonth: dayOfMonthAt(context.now) };
  return toServiceDetail(service, { ...row, ...change.columns, operations, revision: row.revision + 1 }, view);
}

function describeChange(
  { now, environment, principal }: ManagerContext,
  { tenant }: GrantedService,
  { before, after, hash }: { readonly before: ReadAccess; readonly after: ReadAccess; readonly hash: string },
) {
  const columns = {
    api_key_hash: hash,
    api_key_environment: environment,
    api_key_made_by: principal.id,
    api_key_made_at: now,
  };
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
