// Stores the hashes of managers' verification codes. Every write locks the profile.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { hourlyWindowMs } from '../../../lib/queues/hourly-limit.ts';
import { isPendingVerification, maxWrongTries } from '../rules/verification-code.ts';
import type { OwnManager } from './profile.ts';

type VerificationRow = Omit<Tables['email_verifications'], 'manager_id'>;

/** A row whose code can still be used. */
export type StandingVerification = VerificationRow & { readonly code_hash: string };

/** The manager's newest code that has not ended, if it can still be used. */
export async function findPendingVerification(
  db: Db,
  { id: managerId }: OwnManager,
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
  return newest !== undefined && isPendingVerification(newest, now) ? newest : undefined;
}

/** The times at which the manager requested codes in the last hour, oldest first. */
export async function listRequestTimes(db: Db, { id: managerId }: OwnManager, now: number): Promise<number[]> {
  const rows = await db
    .selectFrom('email_verifications')
    .select('requested_at')
    .where('manager_id', '=', managerId)
    .where('requested_at', '>', now - hourlyWindowMs)
    .orderBy('verification_id')
    .execute();
  return rows.map(({ requested_at }) => requested_at);
}

/** Stores a code. Deletes earlier ones that no longer count towards the limit. */
export async function insertVerification(
  db: WriteDb,
  { id: managerId }: OwnManager,
  verification: Omit<StandingVerification, 'wrong_tries'>,
): Promise<void> {
  const ofManager = { manager_id: managerId };
  await db
    .deleteFrom('email_verifications')
    .where('manager_id', '=', managerId)
    .where('requested_at', '<=', verification.requested_at - hourlyWindowMs)
    .execute();
  await db
    .insertInto('email_verifications')
    .values({ ...ofManager, ...verification, wrong_tries: 0 })
    .execute();
}

/** Ends the codes before this one. */
export const endEarlierVerifications = (db: WriteDb, self: OwnManager, verificationId: number): Promise<void> =>
  endVerifications(db, self, '<', verificationId);

/** Ends a code that may have been sent. It counts towards the limit. */
export const endOwnVerification = (db: WriteDb, self: OwnManager, verificationId: number): Promise<void> =>
  endVerifications(db, self, '=', verificationId);

async function endVerifications(
  db: WriteDb,
  { id: managerId }: OwnManager,
  operator: '<' | '=',
  verificationId: number,
): Promise<void> {
  await db
    .updateTable('email_verifications')
    .set({ code_hash: null })
    .where('manager_id', '=', managerId)
    .where('verification_id', operator, verificationId)
    .where('code_hash', 'is not', null)
    .execute();
}

/** Deletes a code that was not sent. It does not count towards the limit. */
export async function withdrawVerification(
  db: WriteDb,
  { id: managerId }: OwnManager,
  verificationId: number,
): Promise<void> {
  await db
    .deleteFrom('email_verifications')
    .where('manager_id', '=', managerId)
    .where('verification_id', '=', verificationId)
    .execute();
}

/** Counts a wrong try; the last one allowed ends the code. */
export function countWrongTry(db: WriteDb, self: OwnManager, row: StandingVerification): Promise<boolean> {
  const wrongTries = row.wrong_tries + 1;
  const codeHash = wrongTries < maxWrongTries ? row.code_hash : null;
  return changeVerification(db, self, row, { wrong_tries: wrongTries, code_hash: codeHash });
}

/** Ends a code that was used, and those before it. */
export async function useVerification(db: WriteDb, self: OwnManager, row: StandingVerification): Promise<boolean> {
  await endEarlierVerifications(db, self, row.verification_id);
  return changeVerification(db, self, row, { code_hash: null });
}

/** False if the code has changed since it was read. */
async function changeVerification(
  db: WriteDb,
  { id: managerId }: OwnManager,
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
