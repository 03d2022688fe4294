// Anonymises the residents of a bank whose identities have expired: erases their personal data, and informs the
// devices. A dry run counts the same residents by the same query, and writes nothing.

import type { TenantDatabase } from '../../../database/tenant-database.ts';
import type { LockableDb } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import { formatBankKid, formatUserKid } from '../../../lib/kid.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock, queueSyncs } from '../../outbox/queries/outbox.ts';
import { listDueResidents, type DuePage, type DueResident } from '../queries/due-residents.ts';
import { eraseResidents } from '../queries/erase-residents.ts';
import { residentsLock } from '../queries/residents-version.ts';
import type { ExpiryRule } from '../rules/expiry.ts';

type AnonymiseInput = {
  readonly bank: WholeGrantedBank;
  readonly rule: ExpiryRule;
  readonly isDryRun: boolean;
  /** MS2000. */
  readonly clock: () => number;
  readonly deadlineMs: number;
};

export type AnonymisedCounts = {
  /** Deleted residents whose identity expired. */
  readonly expired: number;
  /** Residents whose personal data was erased: these, and those who had expired before. */
  readonly erased: number;
  /** Their tags and cards. */
  readonly keys: number;
};

export const nobody: AnonymisedCounts = { expired: 0, erased: 0, keys: 0 };

export const addCounts = (one: AnonymisedCounts, other: AnonymisedCounts): AnonymisedCounts => ({
  expired: one.expired + other.expired,
  erased: one.erased + other.erased,
  keys: one.keys + other.keys,
});

/** Each transaction delays other writes of the bank only for a moment. */
const batchSize = 200;

/**
 * Works in batches, each a transaction of its own, so that it can be stopped at any time and started again. Under the
 * lock it reads again who is due: a resident who was restored meanwhile, or erased by another run, is not changed.
 */
export async function anonymiseResidents(database: TenantDatabase, input: AnonymiseInput): Promise<AnonymisedCounts> {
  const { bank, rule, isDryRun, deadlineMs } = input;
  let counts = nobody;
  let afterId = 0;
  for (;;) {
    const page: DuePage = { afterId, limit: batchSize };
    const due = await database.read({ deadlineMs }, (db) => listDueResidents(db, bank, rule, page));
    if (due.length === 0) return counts;
    const done = isDryRun ? due : await database.write({ deadlineMs }, (db) => anonymiseBatch(db, input, page));
    counts = addCounts(counts, countResidents(done, rule));
    afterId = (done.at(-1) ?? due.at(-1))?.resident_id ?? afterId;
  }
}

async function anonymiseBatch(
  db: LockableDb,
  { bank, rule, clock }: AnonymiseInput,
  page: DuePage,
): Promise<DueResident[]> {
  await takeLocks(db, [outboxLock(bank), residentsLock(bank)]);
  const due = await listDueResidents(db, bank, rule, page);
  if (due.length === 0) return due;
  await eraseResidents(db, bank, due, rule.now);
  const records = due.map(({ resident_id: subjectId, location_id: locationId }) => ({
    subjectKind: 'resident' as const,
    subjectId,
    locationId: locationId ?? 0,
    unitId: 0,
  }));
  await queueSyncs(db, bank, records, rule.now);
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  await appendAudit(db, createOperatorAuditContext('anonymise', clock), {
    object: bankKid,
    bankId: bank.bankId,
    before: null,
    after: { erasedKids: due.map(({ resident_id }) => formatUserKid(bankKid, resident_id)) },
  });
  return due;
}

function countResidents(due: readonly DueResident[], { now }: ExpiryRule): AnonymisedCounts {
  const expired = due.filter(({ expired_at }) => expired_at === null || expired_at > now);
  return {
    expired: expired.length,
    erased: due.length,
    keys: due.reduce((sum, { key_count }) => sum + key_count, 0),
  };
}
