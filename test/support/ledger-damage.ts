// Every kind of damage to a ledger of demo data, with the expected finding of a proof.

import assert from 'node:assert/strict';
import type { Db, WriteDb } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';
import { computePostingLink, computeFingerprint } from '../../src/features/account/rules/hash-chain.ts';
import { guestId } from '../../src/lib/kid.ts';
import {
  residentRollupUpsertColumns,
  computeResidentRollups,
} from '../../src/features/account/rules/resident-rollups.ts';
import { rollupUpsertColumns, computeRollups } from '../../src/features/account/rules/rollups.ts';

type Posting = Tables['postings'];

// The bank with the fewest postings; one posting in the middle of one of its periods, which is in no reversal.
export const damagedBankId = 1003;
export const lastPostingId = 500;

const postings = (db: WriteDb, id: number) =>
  db.updateTable('postings').where('bank_id', '=', damagedBankId).where('posting_id', '=', id);
export const getPosting = (db: Db, id: number): Promise<Posting> =>
  db
    .selectFrom('postings')
    .selectAll()
    .where('bank_id', '=', damagedBankId)
    .where('posting_id', '=', id)
    .executeTakeFirstOrThrow();
export const updatePosting = (db: WriteDb, id: number, change: Partial<Posting>) =>
  postings(db, id).set(change).execute();
const updateClosing = (db: WriteDb, period: number, change: Partial<Tables['settlement_periods']>) =>
  db
    .updateTable('settlement_periods')
    .set(change)
    .where('bank_id', '=', damagedBankId)
    .where('period', '=', period)
    .execute();
const updateLedgerHead = (db: WriteDb, change: Partial<Tables['ledgers']>) =>
  db.updateTable('ledgers').set(change).where('bank_id', '=', damagedBankId).execute();
const updateDeviceRecord = (db: WriteDb, id: number, change: Partial<Tables['device_sync']>) =>
  db.updateTable('device_sync').set(change).where('bank_id', '=', damagedBankId).where('sync_id', '=', id).execute();
const updateRollup = (db: WriteDb, change: Partial<Tables['posting_rollups']>) =>
  db
    .updateTable('posting_rollups')
    .set(change)
    .where('bank_id', '=', damagedBankId)
    .where('location_id', '=', 0)
    .where('grain', '=', 4)
    .where('bucket', '=', 3)
    .where('posting_class', '=', 0)
    .where('currency', '=', 'DKK')
    .execute();

/** Changes the roll-up that `k` is in. */
const updateResidentRollup = async (
  db: WriteDb,
  { k }: ExamplePostings,
  change: Partial<Tables['resident_rollups']>,
) => {
  const { user_id, period, currency, kind, amount_minor } = await getPosting(db, k);
  await db
    .updateTable('resident_rollups')
    .set(change)
    .where('bank_id', '=', damagedBankId)
    .where('user_id', '=', user_id)
    .where('period', '=', period)
    .where('currency', '=', currency)
    .where('kind', '=', kind)
    .where('is_credit', '=', amount_minor > 0 ? 1 : 0)
    .execute();
};

/** Another text, of the same length. */
export const sameLengthText = (text: string): string => `*${text.slice(1)}`;

/**
 * Rows that the demo has: a resident's posting `k` and its follower in the middle of a period, and a reversal of the open
 * period.
 */
export type ExamplePostings = {
  readonly k: number;
  readonly period: number;
  readonly reversal: Posting;
  readonly openPeriod: number;
  /** Whose `k` is, and the key of the roll-up that it is in. */
  readonly resident: number;
  readonly residentKey: string;
};

export async function findExamplePostings(db: Db): Promise<ExamplePostings> {
  const reversals = db
    .selectFrom('postings')
    .selectAll()
    .where('bank_id', '=', damagedBankId)
    .where('reversal_of', 'is not', null);
  const reversal = await reversals
    .where('amount_minor', '<>', 0)
    .orderBy('posting_id', 'desc')
    .executeTakeFirstOrThrow();
  const idsInReversals = new Set((await reversals.execute()).flatMap((row) => [row.posting_id, row.reversal_of]));
  for (let k = 200; ; k += 1) {
    const [row, next] = [await getPosting(db, k), await getPosting(db, k + 1)];
    const apart = row.amount_minor !== next.amount_minor && row.recorded_at !== next.recorded_at;
    const isPlain =
      row.user_id > guestId && row.currency === 'DKK' && !idsInReversals.has(k) && !idsInReversals.has(k + 1);
    if (row.period !== next.period || !apart || !isPlain) continue;
    const [sums = assert.fail()] = computeResidentRollups([row]);
    const residentKey = residentRollupUpsertColumns.key.map((column) => sums[column]).join('/');
    return { k, period: row.period, reversal, openPeriod: 27, resident: row.user_id, residentKey };
  }
}

type DamageCase = {
  readonly name: string;
  apply(db: WriteDb, known: ExamplePostings): Promise<unknown>;
  expected(known: ExamplePostings): Record<string, string | RegExp>;
};

const atK = ({ k }: ExamplePostings, ...kinds: string[]): Record<string, string> =>
  Object.fromEntries(kinds.map((kind) => [kind, `posting ${k}`]));
const someRollup = { 'roll-up': /^1003\//, 'resident roll-up': /^1003\// };
const someSettlement = { settlement: /^period \d+ in [A-Z]{3}$/ };
const someSums = { ...someRollup, ...someSettlement };

export const damageCases: readonly DamageCase[] = [
  {
    name: 'an edited amount',
    apply: async (db, { k }) =>
      updatePosting(db, k, { amount_minor: Number((await getPosting(db, k)).amount_minor) - 1 }),
    expected: (known) => ({ ...atK(known, 'chain', 'fingerprint'), ...someSums }),
  },
  {
    name: 'an amount that was edited with its fingerprint and all roll-ups',
    apply: async (db, { k }) => {
      const row = await getPosting(db, k);
      const edited = { ...row, amount_minor: Number(row.amount_minor) - 1 };
      await updatePosting(db, k, { amount_minor: edited.amount_minor, fingerprint: computeFingerprint(edited) });
      await rebuildRollups(db);
    },
    expected: (known) => atK(known, 'chain'),
  },
  {
    name: 'an edited text',
    apply: async (db, { k }) => updatePosting(db, k, { text: sameLengthText((await getPosting(db, k)).text) }),
    expected: (known) => atK(known, 'chain'),
  },
  {
    name: 'a text that became longer',
    apply: async (db, { k }) => updatePosting(db, k, { text: `${(await getPosting(db, k)).text}!` }),
    expected: (known) => ({ ...atK(known, 'chain'), 'resident roll-up': /^1003\// }),
  },
  {
    name: 'a text that was edited with its own link',
    apply: async (db, { k }) => {
      const was = await getPosting(db, k);
      const row = { ...was, text: sameLengthText(was.text) };
      await updatePosting(db, k, {
        text: row.text,
        chain: computePostingLink((await getPosting(db, k - 1)).chain, row),
      });
    },
    expected: ({ k }) => ({ chain: `posting ${k + 1}` }),
  },
  {
    name: 'an edited link',
    apply: (db, { k }) => updatePosting(db, k, { chain: 'x'.repeat(43) }),
    expected: (known) => atK(known, 'chain'),
  },
  {
    name: 'an emptied link',
    apply: (db, { k }) => updatePosting(db, k, { chain: '' }),
    expected: (known) => atK(known, 'chain'),
  },
  {
    name: 'an edited last link',
    apply: (db) => updatePosting(db, lastPostingId, { chain: 'x'.repeat(43) }),
    expected: () => ({ chain: `posting ${lastPostingId}` }),
  },
  {
    name: 'an edited fingerprint',
    apply: (db, { k }) => updatePosting(db, k, { fingerprint: 1 }),
    expected: (known) => ({ ...atK(known, 'chain', 'fingerprint'), ...someRollup }),
  },
  {
    name: 'a deleted row in the middle',
    apply: (db, { k }) =>
      db.deleteFrom('postings').where('bank_id', '=', damagedBankId).where('posting_id', '=', k).execute(),
    expected: ({ k }) => ({ 'missing posting': `posting ${k}`, chain: `posting ${k + 1}`, ...someSums }),
  },
  {
    name: 'a deleted row whose followers moved up',
    apply: async (db, { k }) => {
      await db.deleteFrom('postings').where('bank_id', '=', damagedBankId).where('posting_id', '=', k).execute();
      for (let id = k + 1; id <= k + 20; id += 1) await updatePosting(db, id, { posting_id: id - 1 });
    },
    expected: ({ k }) => ({
      ...atK({ k } as ExamplePostings, 'chain', 'fingerprint'),
      'missing posting': `posting ${k + 20}`,
      ...someSums,
    }),
  },
  {
    name: 'a deleted tail',
    apply: (db) =>
      db
        .deleteFrom('postings')
        .where('bank_id', '=', damagedBankId)
        .where('posting_id', '>', lastPostingId - 3)
        .execute(),
    expected: () => ({
      'missing posting': `postings ${lastPostingId - 2} to ${lastPostingId}`,
      'device record': 'record 1',
      'reversal count': 'ledger',
      ...someSums,
    }),
  },
  {
    name: 'a tail that was deleted with its roll-ups and the head set back, beyond the last closing',
    apply: async (db, { openPeriod }) => {
      const kept = db.selectFrom('postings').select(({ fn }) => fn.max('posting_id').as('id'));
      const { id } = await kept
        .where('bank_id', '=', damagedBankId)
        .where('period', '<', openPeriod)
        .executeTakeFirstOrThrow();
      await db.deleteFrom('postings').where('bank_id', '=', damagedBankId).where('posting_id', '>=', id).execute();
      await updateLedgerHead(db, { next_posting_id: id });
      await rebuildRollups(db);
    },
    expected: ({ openPeriod }) => ({
      closing: `period ${openPeriod - 1}`,
      'device record': 'record 1',
      'reversal count': 'ledger',
    }),
  },
  {
    name: 'no posting left at all',
    apply: (db) => db.deleteFrom('postings').where('bank_id', '=', damagedBankId).execute(),
    expected: () => ({
      'missing posting': `postings 1 to ${lastPostingId}`,
      closing: /^period \d+$/,
      'device record': 'record 1',
      'reversal count': 'ledger',
      ...someSums,
    }),
  },
  {
    name: 'a row put in beyond the head',
    apply: async (db, { k }) => {
      const row = { ...(await getPosting(db, k)), posting_id: lastPostingId + 1, period: 27 };
      const sealed = { ...row, fingerprint: computeFingerprint(row) };
      const { chain } = await getPosting(db, lastPostingId);
      await db
        .insertInto('postings')
        .values({ ...sealed, chain: computePostingLink(chain, sealed) })
        .execute();
    },
    expected: () => ({ 'posting beyond the head': `posting ${lastPostingId + 1}`, ...someSums }),
  },
  {
    name: 'a row put in below the first',
    apply: async (db, { k }) =>
      db
        .insertInto('postings')
        .values({ ...(await getPosting(db, k)), posting_id: -7, period: 1 })
        .execute(),
    expected: () => ({
      'posting beyond the head': 'posting -7',
      chain: 'posting -7',
      fingerprint: 'posting -7',
      ...someSums,
    }),
  },
  {
    name: 'two rows that changed places',
    apply: async (db, { k }) => {
      const [one, two] = [await getPosting(db, k), await getPosting(db, k + 1)];
      await updatePosting(db, k, { ...two, posting_id: k });
      await updatePosting(db, k + 1, { ...one, posting_id: k + 1 });
    },
    expected: (known) => atK(known, 'chain', 'fingerprint'),
  },
  {
    name: 'a row moved to a period that is not open yet',
    apply: (db, { k }) => updatePosting(db, k, { period: 28 }),
    expected: (known) => ({ ...atK(known, 'chain', 'fingerprint', 'period'), ...someSums }),
  },
  {
    name: 'a row moved to an earlier period',
    apply: (db, { k, period }) => updatePosting(db, k, { period: period - 1 }),
    expected: (known) => ({
      ...atK(known, 'chain', 'fingerprint', 'period'),
      closing: `period ${known.period - 1}`,
      ...someSums,
    }),
  },
  {
    name: 'a closing whose end was edited',
    apply: (db) => updateClosing(db, 5, { through_at: 1 }),
    expected: () => ({ closing: 'period 5', period: 'period 6' }),
  },
  {
    name: 'a boundary that was moved on both sides',
    apply: async (db) => {
      await updateClosing(db, 5, { through_at: 1 });
      await updateClosing(db, 6, { from_at: 1 });
    },
    expected: () => ({ closing: 'period 5' }),
  },
  {
    name: 'a closing at another time',
    apply: (db) => updateClosing(db, 5, { closed_at: 1 }),
    expected: () => ({ closing: 'period 5' }),
  },
  {
    name: 'an edited link of a closing',
    apply: (db) => updateClosing(db, 5, { chain: 'x'.repeat(43) }),
    expected: () => ({ closing: 'period 5', chain: /^posting \d+$/ }),
  },
  {
    name: 'a closing that is gone',
    apply: (db) =>
      db.deleteFrom('settlement_periods').where('bank_id', '=', damagedBankId).where('period', '=', 5).execute(),
    expected: () => ({ period: 'period 5', chain: /^posting \d+$/ }),
  },
  {
    name: 'a closing of a period that is still open',
    apply: (db) =>
      db
        .insertInto('settlement_periods')
        .values({ bank_id: damagedBankId, period: 27, from_at: 1, through_at: 2, closed_at: 3, chain: '' })
        .execute(),
    expected: () => ({ period: 'period 27' }),
  },
  {
    name: 'an open period that began at another time',
    apply: (db) => updateLedgerHead(db, { opened_at: 1 }),
    expected: () => ({ period: 'period 27' }),
  },
  {
    name: 'an open period of another number',
    apply: (db) => updateLedgerHead(db, { open_period: 28 }),
    expected: () => ({ period: 'period 27' }),
  },
  {
    name: 'a head that promises more',
    apply: (db) => updateLedgerHead(db, { next_posting_id: lastPostingId + 2 }),
    expected: () => ({ 'missing posting': `posting ${lastPostingId + 1}` }),
  },
  {
    name: 'a head that counts another number of reversals',
    apply: (db) => updateLedgerHead(db, { reversals: 4711 }),
    expected: () => ({ 'reversal count': 'ledger' }),
  },
  {
    name: 'a reversal of another posting',
    apply: (db, { k, reversal }) => updatePosting(db, reversal.posting_id, { reversal_of: k }),
    expected: ({ reversal }) => ({
      chain: `posting ${reversal.posting_id}`,
      'reversal unlike its original': `posting ${reversal.posting_id}`,
    }),
  },
  {
    name: 'a reversal of nothing',
    apply: (db, { reversal }) => updatePosting(db, reversal.posting_id, { reversal_of: lastPostingId + 5 }),
    expected: ({ reversal }) => ({
      chain: `posting ${reversal.posting_id}`,
      'reversal without its original': `posting ${reversal.posting_id}`,
    }),
  },
  {
    name: 'a reversal of itself',
    apply: (db, { reversal }) => updatePosting(db, reversal.posting_id, { reversal_of: reversal.posting_id }),
    expected: ({ reversal }) => ({
      chain: `posting ${reversal.posting_id}`,
      'reversal of no original': `posting ${reversal.posting_id}`,
    }),
  },
  {
    name: 'a reversal that lost its link',
    apply: (db, { reversal }) => updatePosting(db, reversal.posting_id, { reversal_of: null }),
    expected: ({ reversal }) => ({
      chain: `posting ${reversal.posting_id}`,
      'device record': 'record 1',
      'reversal count': 'ledger',
    }),
  },
  {
    name: 'a reversal of another person',
    apply: (db, { reversal }) => updatePosting(db, reversal.posting_id, { user_id: reversal.user_id + 1 }),
    expected: ({ reversal }) => ({
      chain: `posting ${reversal.posting_id}`,
      'resident roll-up': /^1003\//,
      'reversal unlike its original': `posting ${reversal.posting_id}`,
    }),
  },
  {
    name: 'an edited roll-up',
    apply: (db) => updateRollup(db, { count: 4711 }),
    expected: () => ({ 'roll-up': '1003/0/0/4/3/0/DKK', ...someSettlement }),
  },
  {
    name: 'a roll-up too many',
    apply: (db) => updateRollup(db, { currency: 'NOK' }),
    expected: () => ({ 'roll-up': /^1003\/0\/0\/4\/3\/0\//, ...someSettlement }),
  },
  {
    name: 'an edited roll-up of a resident',
    apply: (db, known) => updateResidentRollup(db, known, { amount_low: 4711 }),
    expected: ({ residentKey }) => ({ 'resident roll-up': residentKey }),
  },
  {
    name: 'a roll-up of a resident whose first instant was edited',
    apply: (db, known) => updateResidentRollup(db, known, { earliest: 4711 }),
    expected: ({ residentKey }) => ({ 'resident roll-up': residentKey }),
  },
  {
    name: 'a resident’s roll-ups gone',
    apply: (db, { resident }) =>
      db.deleteFrom('resident_rollups').where('bank_id', '=', damagedBankId).where('user_id', '=', resident).execute(),
    expected: ({ resident }) => ({ 'resident roll-up': new RegExp(`^1003/${resident}/`) }),
  },
  {
    name: 'a roll-up of a resident who has no posting',
    apply: (db, known) => updateResidentRollup(db, known, { user_id: 99_999 }),
    expected: () => ({ 'resident roll-up': /^1003\/99999\// }),
  },
  {
    name: 'a device record that is gone',
    apply: (db) => db.deleteFrom('device_sync').where('bank_id', '=', damagedBankId).where('sync_id', '=', 1).execute(),
    expected: () => ({ 'device record': 'record 1' }),
  },
  {
    name: 'the last device record gone',
    apply: (db) => db.deleteFrom('device_sync').where('bank_id', '=', damagedBankId).where('sync_id', '=', 2).execute(),
    expected: () => ({ 'device record': 'record 2' }),
  },
  {
    name: 'device records that nobody queued',
    apply: (db) => db.deleteFrom('device_sync_heads').where('bank_id', '=', damagedBankId).execute(),
    expected: () => ({ 'device record': 'record 1' }),
  },
  {
    name: 'a device record of another posting',
    apply: (db, { k }) => updateDeviceRecord(db, 2, { subject_id: k }),
    expected: () => ({ 'device record': 'record 2' }),
  },
  {
    name: 'a device record of no posting',
    apply: (db) => updateDeviceRecord(db, 2, { subject_id: lastPostingId + 5 }),
    expected: () => ({ 'device record': 'record 2' }),
  },
  {
    name: 'a device record of another place',
    apply: (db) => updateDeviceRecord(db, 1, { unit_id: 4711 }),
    expected: () => ({ 'device record': 'record 1' }),
  },
  {
    name: 'a device record in no known state',
    apply: (db) => updateDeviceRecord(db, 1, { state: 'lost' }),
    expected: () => ({ 'device record': 'record 1' }),
  },
];

/** Recomputes the roll-ups from the stored postings, as an attacker would do to hide the damage. */
async function rebuildRollups(db: WriteDb): Promise<void> {
  for (const table of ['posting_rollups', 'resident_rollups'] as const)
    await db.deleteFrom(table).where('bank_id', '=', damagedBankId).execute();
  const rows = await db.selectFrom('postings').selectAll().where('bank_id', '=', damagedBankId).execute();
  await db.dialect.upsertRows(db, 'posting_rollups', computeRollups(rows), rollupUpsertColumns);
  await db.dialect.upsertRows(db, 'resident_rollups', computeResidentRollups(rows), residentRollupUpsertColumns);
}
