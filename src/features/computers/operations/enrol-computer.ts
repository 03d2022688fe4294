// EnrolComputer: gives the holder of an enrolment code the key of its computer, once. The answer and the work are the
// same whatever is wrong with a code.

import { randomBytes } from 'node:crypto';
import type { WriteDb } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import type { PublicContext } from '../../../http/context/operation-context.ts';
import { secretBytes } from '../../../lib/values/checksummed-secret.ts';
import { formatKid } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createRequestAuditContext } from '../../audit/rules/audit-context.ts';
import { withoutValues } from '../../audit/rules/recorded-values.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import type { EnrolmentThrottle } from '../process/enrolment-throttle.ts';
import { insertComputerKey, computerLock, type ComputerKey } from '../queries/computer-keys.ts';
import { findComputerByCode, storeEnrolledState, type ComputerOfCode } from '../queries/enrolment.ts';
import { deleteComputerKeys, endCode } from '../queries/write-computer.ts';
import { formatComputerKey, hashComputerSecret } from '../rules/computer-key.ts';
import { hashEnrolmentCode, isCodeOpen } from '../rules/enrolment-code.ts';
import type { EnrolledComputer } from '../schemas.ts';

/** The keys that the computer had before end: it is the computer, or its replacement. */
export function enrolComputer(
  context: PublicContext,
  { code, ...computer }: { readonly code: string; readonly serial: string; readonly software: string },
  { throttle }: { readonly throttle: EnrolmentThrottle },
): Promise<EnrolledComputer> {
  const { tenant, clientAddress: address, now } = context;
  const codeHash = hashEnrolmentCode(code);
  return throttle.run(
    { tenant: tenant.name, address, now },
    {
      find: () => context.readStatement((db) => findComputerByCode(db, codeHash)),
      check: async (candidate, settle) => {
        const found = requireOpen(context, candidate);
        const key = formatComputerKey(randomBytes(secretBytes));
        await context.write(async (db) => {
          await takeLocks(db, [computerLock(found), outboxLock(found)]);
          // Another one may have used the code, or it was replaced or revoked.
          requireOpen(context, await findComputerByCode(db, codeHash));
          await settle(db);
          await storeEnrolment(db, context, found, { key, ...computer });
        });
        return {
          computerKid: formatKid({ type: 'computer', tenant: tenant.name, ...idsOf(found) }),
          key,
          serverTime: formatUtc(now),
        };
      },
    },
  );
}

function requireOpen(context: PublicContext, found: ComputerOfCode | undefined): ComputerOfCode {
  if (found === undefined || !isCodeOpen(found, context)) throw new Problem('invalid-enrolment-code');
  return found;
}

const idsOf = ({ bankId, computerId }: ComputerKey): ComputerKey => ({ bankId, computerId });

async function storeEnrolment(
  db: WriteDb,
  context: PublicContext,
  computer: ComputerKey,
  { key, serial, software }: { readonly key: string; readonly serial: string; readonly software: string },
): Promise<void> {
  const { now, environment, tenant } = context;
  const { bankId, computerId } = computer;
  await endCode(db, computer);
  await deleteComputerKeys(db, computer);
  await insertComputerKey(db, computer, { keyHash: hashComputerSecret(key), environment, now });
  await storeEnrolledState(db, computer, { serial, software, now });
  await appendAudit(db, createRequestAuditContext('computer', computerId, context), {
    object: formatKid({ type: 'computer', tenant: tenant.name, bankId, computerId }),
    bankId,
    before: null,
    after: { serial, software, ...withoutValues(['key']) },
  });
}
