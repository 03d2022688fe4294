// GenerateServiceApiKey: makes a new API key for a service, in place of the one that it has. The key itself is in the answer
// alone; its hash is stored.

import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { withoutValues } from '../../audit/rules/recorded-values.ts';
import type { PasswordHasher } from '../../credentials/password-hasher.ts';
import { dayOfMonthAt } from '../../icons/day-of-month.ts';
import { requireGrantedService } from '../granted-service.ts';
import { readService } from '../queries/services.ts';
import { lockService } from '../queries/write-service.ts';
import { createApiKey } from '../rules/api-key.ts';
import { toServiceDetail, type ApiKeyAnswer, type ServiceDetail } from '../schemas.ts';
import { changeService, requireRevision, type FoundService } from '../write-service.ts';

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
    lock: lockService,
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
  await changeService(
    db,
    context,
    { service, row },
    {
      field: 'ApiKeyHash',
      // A secret.
      old_value: null,
      new_value: null,
      columns: { api_key_hash: hash, api_key_environment: context.environment },
      recorded: { before: null, after: withoutValues(['ApiKeyHash']) },
    },
  );
  // Whoever gets here may write the service.
  const view = { canEdit: true, dayOfMonth: dayOfMonthAt(context.now) };
  return toServiceDetail(service, { ...row, api_key_hash: hash, revision: row.revision + 1 }, view);
}
