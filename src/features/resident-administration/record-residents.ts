// Creates residents, with their keys, their activation codes, the history, the audit log and the records for the devices.
// It runs in the transaction of the caller, who has taken the locks, at the cost of a few statements for all of them.

import { recordResidentChanges } from './record-changes.ts';
import { randomBytes } from 'node:crypto';
import { orDuplicateProblem } from '../../database/duplicate-problem.ts';
import type { WriteDb } from '../../database/db.ts';
import { formatBankKid, formatLocationKid } from '../../lib/kid.ts';
import { formatReadableCode } from '../../lib/text/readable-code.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { withoutValues } from '../audit/rules/recorded-values.ts';
import { personalFields, toColumns, type ResidentValues } from '../residents/fields.ts';
import { insertResidents, type NewResidentRow } from '../residents/queries/insert-residents.ts';
import type { ResidentKeyNumber } from '../residents/rules/resident-key.ts';
import { insertActivations, insertKeys, releaseExpiredEmails } from './queries/write-resident.ts';
import { activationCodeBytes } from './rules/activation.ts';

export type ResidentDraft = {
  readonly residentId: number;
  readonly values: ResidentValues;
  /** A location of the bank, or null. */
  readonly locationId: number | null;
  readonly keys: readonly ResidentKeyNumber[];
};

const firstRevision = 1;

/** The ids must be new. Throws 409 `user-exists` or `key-exists` if somebody else has an email address or a key. */
export async function recordNewResidents(
  db: WriteDb,
  actor: AuditContext,
  bank: WholeGrantedBank,
  residents: readonly ResidentDraft[],
): Promise<void> {
  const { now } = actor;
  await insertDrafts(db, bank, residents, now);
  const activations = residents.map(({ residentId }) => ({
    residentId,
    code: formatReadableCode(randomBytes(activationCodeBytes)),
  }));
  await insertActivations(db, bank, activations, now);
  await recordResidentChanges(
    db,
    actor,
    bank,
    residents.map((draft) => toCreation(bank, draft)),
  );
}

async function insertDrafts(
  db: WriteDb,
  bank: WholeGrantedBank,
  residents: readonly ResidentDraft[],
  now: number,
): Promise<void> {
  const { bankId } = bank;
  const emails = residents.map(({ values }) => values.email);
  await releaseExpiredEmails(db, bank, emails, now);
  const keyNumbers = new Map(
    residents.map(({ residentId, keys }) => [residentId, keys.map(({ number }) => number)] as const),
  );
  const rows = residents.map((draft) => toResidentRow(bankId, draft));
  // The ids are new, so only an email address can already belong to another resident.
  await orDuplicateProblem(db, 'user-exists', () => insertResidents(db, bankId, rows, keyNumbers));
  const keys = residents.flatMap(({ residentId, keys: own }) => own.map((key) => ({ residentId, key })));
  await orDuplicateProblem(db, 'key-exists', () => insertKeys(db, bank, keys, now));
}

const toResidentRow = (bankId: number, { residentId, values, locationId }: ResidentDraft): NewResidentRow => ({
  bank_id: bankId,
  resident_id: residentId,
  location_id: locationId,
  ...toColumns(values),
  revision: firstRevision,
});

const toCreation = (
  { tenant, bankId }: WholeGrantedBank,
  { residentId, values: { name, language }, locationId, keys }: ResidentDraft,
) => ({
  residentId,
  revision: firstRevision,
  command: 'Create',
  oldValue: null,
  newValue: name,
  locationIds: [locationId ?? 0],
  recorded: {
    before: null,
    after: {
      ...withoutValues([...personalFields, ...(keys.length === 0 ? [] : ['keys'])]),
      language,
      locationKid: locationId === null ? null : formatLocationKid(formatBankKid(tenant, bankId), locationId),
    },
  },
});
