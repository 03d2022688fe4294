// Erases the answers stored for Idempotency-Keys that name residents whose personal data was erased.

import type { TenantDatabase } from '../../database/tenant-database.ts';
import { listResidentsErasedSince } from '../../features/residents/queries/due-residents.ts';
import { answerRetentionMs } from '../../http/idempotency/idempotent-write.ts';
import {
  deleteIdempotencyRecordsUntil,
  eraseStoredAnswer,
  findEndOfExpiredBatch,
  listStoredAnswers,
  type IdempotencyKey,
} from '../../http/idempotency/queries/idempotency-records.ts';
import { formatBankKid, formatUserKid, userKidsInText } from '../../lib/kid.ts';
import { createOperatorScope } from '../../permissions/scope.ts';

type ErasureOptions = { readonly tenant: string; readonly now: number; readonly deadlineMs: number };

/** Also deletes expired answers: the service deletes them only with later writes, which may never come. */
export async function eraseStoredAnswers(database: TenantDatabase, options: ErasureOptions): Promise<void> {
  await deleteExpiredAnswers(database, options);
  await eraseAnswersAbout(database, await listErasedKids(database, options), options);
}

async function deleteExpiredAnswers(database: TenantDatabase, { now, deadlineMs }: ErasureOptions): Promise<void> {
  for (;;) {
    const until = await database.read({ deadlineMs }, (db) => findEndOfExpiredBatch(db, now - answerRetentionMs));
    if (until === undefined) return;
    await database.write({ deadlineMs }, (db) => deleteIdempotencyRecordsUntil(db, until));
  }
}

/** The residents who were erased while stored answers can name them, by this run or an earlier one. */
async function listErasedKids(
  database: TenantDatabase,
  { tenant, now, deadlineMs }: ErasureOptions,
): Promise<ReadonlySet<string>> {
  const residents = await database.read({ deadlineMs }, (db) =>
    listResidentsErasedSince(db, createOperatorScope(tenant), now - answerRetentionMs),
  );
  return new Set(
    residents.map(({ bank_id, resident_id }) => formatUserKid(formatBankKid(tenant, bank_id), resident_id)),
  );
}

async function eraseAnswersAbout(
  database: TenantDatabase,
  erasedKids: ReadonlySet<string>,
  { deadlineMs }: ErasureOptions,
): Promise<void> {
  if (erasedKids.size === 0) return;
  let after: IdempotencyKey | undefined;
  for (;;) {
    const answers = await database.read({ deadlineMs }, (db) => listStoredAnswers(db, after));
    const last = answers.at(-1);
    if (last === undefined) return;
    const naming = answers.filter(({ body }) => (body.match(userKidsInText) ?? []).some((kid) => erasedKids.has(kid)));
    if (naming.length > 0)
      await database.write({ deadlineMs }, async (db) => {
        for (const answer of naming) await eraseStoredAnswer(db, answer);
      });
    after = last;
  }
}
