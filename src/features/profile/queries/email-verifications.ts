// Stores the verification codes of managers, as hashes. The profile is locked by every write of them.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { isStanding, maxWrongTries, requestWindowMs } from '../rules/verification-code.ts';
import type { Self } from './profile.ts';

export type VerificationRow = Omit<Tables['email_verifications'], 'manager_id'>;

/** A row whose code stands. */
export type StandingVerification = VerificationRow & { readonly code_hash: string };

/** The newest code of the manager that has not ended, if it stands. */
export async function findStandingVerification(
  db: Db,
  { managerId }: Self,
  now: number,
): Promise<StandingVerification | undefined> {
  const newest = await db
    .selectFrom('email_verifications')
    .select(['verification_id', 'email', 'code_hash', 'requested_at', 'wrong_tries'])
    .where('manager_id', '=', managerId)
    .where('code_hash', 'is not', null)
    .orderBy('verification_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest !== undefined && isStanding(newest, now) ? newest : undefined;
}

/** When the manager requested codes in the last hour, the first one first. */
export async function listRequestTimes(db: Db, { managerId }: Self, now: number): Promise<number[]> {
  const rows = await db
    .selectFrom('email_verifications')
    .select('requested_at')
    .where('manager_id', '=', managerId)
    .where('requested_at', '>', now - requestWindowMs)
    .orderBy('verification_id')
    .execute();
  return rows.map(({ requested_at }) => requested_at);
}

/** Stores a code. Those before it that are no longer counted are deleted. */
export async function insertVerification(
  db: WriteDb,
  { managerId }: Self,
  verification: Omit<StandingVerification, 'wrong_tries'>,
): Promise<void> {
  const ofManager = { manager_id: managerId };
  await db
    .deleteFrom('email_verifications')
    .where('manager_id', '=', managerId)
    .where('requested_at', '<=', verification.requested_at - requestWindowMs)
    .execute();
  await db
    .insertInto('email_verifications')
    .values({ ...ofManager, ...verification, wrong_tries: 0 })
    .execute();
}

/** Ends the codes before this one. */
export async function endEarlierVerifications(db: WriteDb, { managerId }: Self, verificationId: number): Promise<void> {
  await db
    .updateTable('email_verifications')
    .set({ code_hash: null })
    .where('manager_id', '=', managerId)
    .where('verification_id', '<', verificationId)
    .where('code_hash', 'is not', null)
    .execute();
}

/** Ends a code that may have been sent: it is counted. */
export async function endOwnVerification(db: WriteDb, { managerId }: Self, verificationId: number): Promise<void> {
  await db
    .updateTable('email_verifications')
    .set({ code_hash: null })
    .where('manager_id', '=', managerId)
    .where('verification_id', '=', verificationId)
    .execute();
}

/** Takes back a code that nobody was sent: it is not counted. */
export async function withdrawVerification(db: WriteDb, { managerId }: Self, verificationId: number): Promise<void> {
  await db
    .deleteFrom('email_verifications')
    .where('manager_id', '=', managerId)
    .where('verification_id', '=', verificationId)
    .execute();
}

/** The last wrong try that is allowed ends the code. */
export function countWrongTry(db: WriteDb, self: Self, row: StandingVerification): Promise<boolean> {
  const wrongTries = row.wrong_tries + 1;
  const codeHash = wrongTries < maxWrongTries ? row.code_hash : null;
  return changeVerification(db, self, row, { wrong_tries: wrongTries, code_hash: codeHash });
}

/** Ends a code that was used, and those before it. */
export async function useVerification(db: WriteDb, self: Self, row: StandingVerification): Promise<boolean> {
  await endEarlierVerifications(db, self, row.verification_id);
  return changeVerification(db, self, row, { code_hash: null });
}

/** False where the code is not any more as it was read. */
async function changeVerification(
  db: WriteDb,
  { managerId }: Self,
  { verification_id, code_hash, wrong_tries }: StandingVerification,
  changes: Partial<VerificationRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('email_verifications')
    .set(changes)
    .where('manager_id', '=', managerId)
    .where('verification_id', '=', verification_id)
    .where('code_hash', '=', code_hash)
    .where('wrong_tries', '=', wrong_tries)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
