// The lines of the campaign's computers that have arrived: each must have, exactly once.

import assert from 'node:assert/strict';
import type { Db } from '../../../src/database/db.ts';
import type { CampaignComputer } from './campaign-computer.ts';

export type ArrivedLines = { readonly booked: readonly string[]; readonly held: readonly string[] };

/** The names of the lines that became postings, and of those that are held, in all banks from this one on. */
export async function readArrivedLines(db: Db, firstBankId = 0): Promise<ArrivedLines> {
  const postings = await db.selectFrom('postings').select('text').where('bank_id', '>=', firstBankId).execute();
  const lines = await db
    .selectFrom('held_lines')
    .select('line')
    .where('bank_id', '>=', firstBankId)
    .where('stream', '=', 'money')
    .execute();
  return {
    booked: postings.map(({ text }) => text),
    held: lines.map(({ line }) => (JSON.parse(line) as { readonly text: string }).text),
  };
}

export function requireEachOnce(computers: readonly CampaignComputer[], { booked, held }: ArrivedLines): void {
  const made = computers.flatMap(({ money }) => money);
  assert.equal(new Set(made).size, made.length);
  const arrived = [...booked, ...held];
  const seen = new Set<string>();
  const doubled = arrived.filter((name) => seen.size === seen.add(name).size);
  assert.deepEqual(doubled, [], 'lines that arrived twice');
  assert.deepEqual(
    made.filter((name) => !seen.has(name)),
    [],
    'lines that did not arrive',
  );
  assert.equal(arrived.length, made.length, 'lines that nobody sent');
}
