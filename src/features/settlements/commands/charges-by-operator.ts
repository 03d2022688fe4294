// Sets by which profile the charges of a bank are written, and writes those of a closed period, for an operator.

import type { Db } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import { formatBankKid } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireWholeBank, type WholeGrantedBank } from '../../../permissions/coverage.ts';
import { createOperatorScope } from '../../../permissions/scope.ts';
import type { Tenant } from '../../../tenants.ts';
import { addPartialSums } from '../../account/rules/rollups.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { readNamedProfile } from '../../import-profiles/read-profile.ts';
import { requireBank } from '../../places/require-place.ts';
import { readIdentitiesOfPeriod } from '../../residents/queries/former-names.ts';
import { findChargeProfile, storeChargeProfile, type ChargeProfile } from '../queries/charge-profiles.ts';
import {
  countPostingsBeforePeriod,
  findClosedPeriod,
  listClosedPeriods,
  listPeriodPartialSums,
} from '../queries/settlement-periods.ts';
import { chargesKind, readCharges, type SettlementCharges } from '../read-charges.ts';
import { createPostingRange } from '../rules/posting-range.ts';

type ChargesOperator = {
  readonly database: TenantDatabase;
  readonly tenant: Tenant;
  /** MS2000. */
  readonly clock: () => number;
  /** Its name in the audit log, if it is another one than `charges`. */
  readonly command?: string;
};

const deadlineMs = 10_000;
const readDeadlineMs = 300_000;

const bankOf = ({ tenant }: ChargesOperator, bankId: number): WholeGrantedBank =>
  requireWholeBank(createOperatorScope(tenant.name), { bankId });

type SetChargeProfile =
  | { readonly profile: ChargeProfile | null }
  /** Which of the names is none of a profile that it could be. */
  | { readonly unknown: keyof ChargeProfile };

/**
 * `change` makes the profile that is wanted of the one that is set; null is none. Returns what is set afterwards. A change
 * that changes nothing is not recorded. Throws 404 where there is no such bank.
 */
export async function setChargeProfile(
  operator: ChargesOperator,
  bankId: number,
  change: (set: ChargeProfile | null) => ChargeProfile | null,
): Promise<SetChargeProfile> {
  const bank = bankOf(operator, bankId);
  const { database, tenant, clock, command = 'charges' } = operator;
  return database.write({ deadlineMs }, async (db) => {
    await takeLocks(db, [outboxLock(bank)]);
    await requireBank(db, bank);
    const before = (await findChargeProfile(db, bank)) ?? null;
    const after = change(before);
    if (JSON.stringify(before) === JSON.stringify(after)) return { profile: after };
    const unknown = after === null ? undefined : await findUnknownName(db, after);
    if (unknown !== undefined) return { unknown };
    await storeChargeProfile(db, bank, after);
    const object = formatBankKid(tenant.name, bankId);
    await appendAudit(db, createOperatorAuditContext(command, clock), { object, bankId, before, after });
    return { profile: after };
  });
}

async function findUnknownName(
  db: Db,
  { profile, keySource }: ChargeProfile,
): Promise<keyof ChargeProfile | undefined> {
  if ((await readNamedProfile(db, profile))?.profile.kind !== chargesKind) return 'profile';
  const isOwn = keySource === ownKeys || (await readNamedProfile(db, keySource))?.profile.kind === 'residents';
  return isOwn ? undefined : 'keySource';
}

/** Those of our own files. */
export const ownKeys = 'portal';

/** For a folder that another system reads. */
export const createChargesSource = (operator: ChargesOperator) => ({
  listPeriods: (bankId: number) => listPeriods(operator, bankId),
  readPeriod: (bankId: number, period: number) => readPeriod(operator, bankId, period),
});

/** The numbers of the closed periods, in their order. */
async function listPeriods(operator: ChargesOperator, bankId: number): Promise<number[]> {
  const bank = bankOf(operator, bankId);
  const periods = await operator.database.read({ deadlineMs }, (db) => listClosedPeriods(db, bank));
  return periods.map(({ period }) => period).toReversed();
}

/**
 * Records that the charges leave the service, unless there are none. Throws Problem if they cannot be written, or no
 * profile is set for the bank.
 */
async function readPeriod(operator: ChargesOperator, bankId: number, period: number): Promise<SettlementCharges> {
  const bank = bankOf(operator, bankId);
  const { database, tenant, clock, command = 'charges' } = operator;
  const charges = await database.read({ deadlineMs: readDeadlineMs, forDownload: true }, (db) =>
    readClosedPeriod(db, { tenant, bank }, period),
  );
  const kid = formatBankKid(tenant.name, bankId);
  if (charges === undefined)
    throw new Problem('charges-not-writable', { detail: `No profile of charges is set for ${kid}.` });
  const { profile, count } = charges;
  if (count > 0)
    await database.write({ deadlineMs }, async (db) => {
      await takeLocks(db, [outboxLock(bank)]);
      await appendAudit(db, createOperatorAuditContext(command, clock), {
        object: kid,
        bankId,
        before: null,
        after: { period, profile, charges: count },
      });
    });
  return charges;
}

async function readClosedPeriod(
  db: Db,
  place: { readonly tenant: Tenant; readonly bank: WholeGrantedBank },
  number: number,
): Promise<SettlementCharges | undefined> {
  const { bank } = place;
  const [period, sums, earlierCount, identities] = await Promise.all([
    findClosedPeriod(db, bank, number),
    listPeriodPartialSums(db, bank, number),
    countPostingsBeforePeriod(db, bank, number),
    readIdentitiesOfPeriod(db, bank, number),
  ]);
  if (period === undefined || period.throughAt === null) throw new Problem('not-found');
  const range = createPostingRange(bank, earlierCount, addPartialSums(sums).count);
  return readCharges(db, { ...place, period: { ...period, throughAt: period.throughAt }, range, identities });
}
