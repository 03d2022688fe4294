// Stores the computers that the examples of the OpenAPI documents name: one that is enrolled, and two that wait for
// their codes to be used.

import type { WriteDb } from '../../src/database/db.ts';
import { takeLocks } from '../../src/database/locks.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { createOperatorAuditContext } from '../../src/features/audit/rules/audit-context.ts';
import { createComputerWithCode } from '../../src/features/computers/change-computer.ts';
import { insertComputerKey, useComputerKey } from '../../src/features/computers/queries/computer-keys.ts';
import { listComputerUnits } from '../../src/features/computers/queries/computer-units.ts';
import { storeEnrolledState } from '../../src/features/computers/queries/enrolment.ts';
import { computersLock, endCode, replaceCode } from '../../src/features/computers/queries/write-computer.ts';
import { outboxLock } from '../../src/features/outbox/queries/outbox.ts';
import { formatComputerKey, hashComputerSecret } from '../../src/features/computers/rules/computer-key.ts';
import { enrolmentLifetimeMs, hashEnrolmentCode } from '../../src/features/computers/rules/enrolment-code.ts';
import { onlineGatewayName } from '../../demo/places/gateways.ts';
import { readExample } from '../../src/http/openapi/examples.ts';
import { secretBytes } from '../../src/lib/values/checksummed-secret.ts';
import { requireCoveredBank, requireWholeCoverage, type WholeGrantedBank } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';

const deadlineMs = 10_000;
const bankId = 1001;

/** The key of the first one, for the examples of what computers call. */
export const exampleComputerKey = formatComputerKey(Buffer.alloc(secretBytes, 1));

/** They have the units that the demo data connect through computers of these names. */
export async function storeExampleComputers(database: TenantDatabase, tenant: string, now: number): Promise<void> {
  const bank = requireWholeCoverage(requireCoveredBank(createOperatorScope(tenant), { bankId }));
  const computerIds: number[] = [];
  for (const name of [onlineGatewayName(bankId), `gateway-${bankId}-1`, `gateway-${bankId}-2`])
    computerIds.push(
      await database.write({ deadlineMs }, async (db) => {
        const [computerId] = await takeLocks(db, [computersLock(bank), outboxLock(bank)]);
        await storeComputer(db, { bank, computerId }, { name, now });
        return computerId;
      }),
    );
  const [enrolledId = 0, waitingId = 0] = computerIds;
  await database.write({ deadlineMs }, (db) => enrolExample(db, { bankId, computerId: enrolledId }, now));
  const { code = '' } = (readExample('EnrolComputer')?.request.body ?? {}) as { code?: string };
  await database.write({ deadlineMs }, (db) =>
    replaceCode(
      db,
      { bankId, computerId: waitingId },
      { hash: hashEnrolmentCode(code), expiresAt: now + enrolmentLifetimeMs, environment: 'production' },
    ),
  );
}

async function storeComputer(
  db: WriteDb,
  computer: { readonly bank: WholeGrantedBank; readonly computerId: number },
  { name, now }: { readonly name: string; readonly now: number },
): Promise<void> {
  const { bank } = computer;
  const units = (await listComputerUnits(db, bank, name)).map(({ location_id: locationId, unit_id: unitId }) => ({
    type: 'unit' as const,
    tenant: bank.tenant,
    bankId: bank.bankId,
    locationId,
    unitId,
  }));
  const actor = createOperatorAuditContext('computer create', () => now);
  await createComputerWithCode(db, actor, computer, { name, units, environment: 'production' });
}

type ExampleComputer = { readonly bankId: number; readonly computerId: number };

async function enrolExample(db: WriteDb, computer: ExampleComputer, now: number): Promise<void> {
  const keyHash = hashComputerSecret(exampleComputerKey);
  await endCode(db, computer);
  await insertComputerKey(db, computer, { keyHash, environment: 'production', now });
  await useComputerKey(db, computer, { keyHash, now });
  await storeEnrolledState(db, computer, { serial: 'SN-00417', software: '2.4.1', now });
}
