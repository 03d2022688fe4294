// RenewComputerKey: gives a computer its next key. Both hold until the next one is first used, so that a lost answer
// locks nobody out; asked again before that, it replaces the next key.

import { randomBytes } from 'node:crypto';
import { takeLocks } from '../../../database/locks.ts';
import type { ComputerContext } from '../../../http/context/operation-context.ts';
import { secretBytes } from '../../../lib/values/checksummed-secret.ts';
import { formatKid } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createRequestAuditContext } from '../../audit/rules/audit-context.ts';
import { withoutValues } from '../../audit/rules/recorded-values.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { insertComputerKey, deleteOtherKeys, computerLock } from '../queries/computer-keys.ts';
import { formatComputerKey, hashComputerSecret } from '../rules/computer-key.ts';
import type { NextComputerKey } from '../schemas.ts';

export async function renewComputerKey(context: ComputerContext): Promise<NextComputerKey> {
  const { computer, environment, now, tenant } = context;
  const { bankId, computerId, keyHash } = computer;
  const key = formatComputerKey(randomBytes(secretBytes));
  await context.write(async (db) => {
    await takeLocks(db, [computerLock(computer), outboxLock(computer)]);
    // It may have been revoked, or the next key used, since the request arrived.
    if (!(await deleteOtherKeys(db, computer, keyHash))) throw new Problem('unauthenticated');
    await insertComputerKey(db, computer, { keyHash: hashComputerSecret(key), environment, now });
    await appendAudit(db, createRequestAuditContext('computer', computerId, context), {
      object: formatKid({ type: 'computer', tenant: tenant.name, bankId, computerId }),
      bankId,
      before: null,
      after: withoutValues(['key']),
    });
  });
  return { key, serverTime: formatUtc(now) };
}
