// Damage planted in a ledger of demo data, of every kind there is, with what a proof must say about it.

import assert from 'node:assert/strict';
import type { Db, WriteDb } from '../../src/database/dialect.ts';
import type { Tables } from '../../src/database/tables.ts';
import { postingLink } from '../../src/features/account/rules/chain.ts';
import { guestUserId } from '../../src/lib/kid.ts';
import { fingerprintOf } from '../../src/features/account/rules/fingerprint.ts';
import { mergingResidentRollups, residentRollupsOf } from '../../src/features/account/rules/resident-rollups.ts';
import { mergingRollups, rollupsOf } from '../../src/features/account/rules/rollups.ts';

type Posting = Tables['postings'];

// The bank with the fewest postings; one posting in the middle of one of its periods, which is in no reversal.
export const bankId = 1003;
export const lastId = 2000;

const postings = (db: WriteDb, id: number) =>
  db.updateTable('postings').where('bank_id', '=', bankId).where('posting_id', '=', id);
export const find = (db: Db, id: number): Promise<Posting> =>
  db
    .selectFrom('postings')
    .selectAll()
    .where('bank_id', '=', bankId)
    .where('posting_id', '=', id)
    .executeTakeFirstOrThrow();
export const edit = (db: WriteDb, id: number, change: Partial<Posting>) => postings(db, id).set(change).execute();
const closing = (db: WriteDb, period: number, change: Partial<Tables['settlement_periods']>) =>
  db.updateTable('settlement_periods').set(change).where('bank_id', '=', bankId).where('period', '=', period).execute();
const head = (db: WriteDb, change: Partial<Tables['ledgers']>) =>
  db.updateTable('ledgers').set(change).where('bank_id', '=', bankId).execute();
const record = (db: WriteDb, id: number, change: Partial<Tables['device_sync']>) =>
  db.updateTable('device_sync').set(change).where('bank_id', '=', bankId).where('sync_id', '=', id).execute();
const rollup = (db: WriteDb, change: Partial<Tables['posting_rollups']>) =>
  db
    .updateTable('posting_rollups')
    .set(change)
    .where('bank_id', '=', bankId)
    .where('location_id', '=', 0)
    .where('grain', '=', 4)
    .where('bucket', '=', 3)
    .where('posting_class', '=', 0)
    .where('currency', '=', 'DKK')
    .execute();

/** Changes the roll-up that `k` is in. */
const residentRollup = async (db: WriteDb, { k }: Known, change: Partial<Tables['resident_rollups']>) => {
  const { user_id, period, currency, kind, amount_minor } = await find(db, k);
  await db
    .updateTable('resident_rollups')
    .set(change)
    .where('bank_id', '=', bankId)
    .where('user_id', '=', user_id)
    .where('period', '=', period)
    .where('currency', '=', currency)
    .where('kind', '=', kind)
    .where('is_credit', '=', amount_minor > 0 ? 1 : 0)
    .execute();
};

/** Another text, of the same length. */
export const asLong = (text: string): string => `*${text.slice(1)}`;

/**
 * Rows that the demo has: a resident's posting `k` and its follower in the middle of a period, and a reversal of the open
 * period.
 */
export type Known = {
  readonly k: number;
  readonly period: number;
  readonly reversal: Posting;
  readonly openPeriod: number;
  /** Whose `k` is, and the key of the roll-up that it is in. */
  readonly resident: number;
  readonly residentKey: string;
};

export async function look(db: Db): Promise<Known> {
  const reversals = db
    .selectFrom('postings')
    .selectAll()
    .where('bank_id', '=', bankId)
    .where('reversal_of', 'is not', null);
  const reversal = await reversals
    .where('amount_minor', '<>', 0)
    .orderBy('posting_id', 'desc')
    .executeTakeFirstOrThrow();
  const taken = new Set((await reversals.execute()).flatMap((row) => [row.posting_id, row.reversal_of]));
  for (let k = 900; ; k += 1) {
    const [row, next] = [await find(db, k), await find(db, k + 1)];
    const apart = row.amount_minor !== next.amount_minor && row.recorded_at !== next.recorded_at;
    const isPlain = row.user_id > guestUserId && row.currency === 'DKK' && !taken.has(k) && !taken.has(k + 1);
    if (row.period !== next.period || !apart || !isPlain) continue;
    const [sums = assert.fail()] = residentRollupsOf([row]);
    const residentKey = mergingResidentRollups.key.map((column) => sums[column]).join('/');
    return { k, period: row.period, reversal, openPeriod: 27, resident: row.user_id, residentKey };
  }
}

type Plant = {
  readonly what: string;
  plant(db: WriteDb, known: Known): Promise<unknown>;
  expected(known: Known): Record<string, string | RegExp>;
};

const atK = ({ k }: Known, ...kinds: string[]): Record<string, string> =>
  Object.fromEntries(kinds.map((kind) => [kind, `posting ${k}`]));
const someRollup = { 'roll-up': /^1003\//, 'resident roll-up': /^1003\// };
const someSettlement = { settlement: /^period \d+ in [A-Z]{3}$/ };
const someSums = { ...someRollup, ...someSettlement };

export const plants: readonly Plant[] = [
  {
    what: 'an edited amount',
    plant: async (db, { k }) => edit(db, k, { amount_minor: Number((await find(db, k)).amount_minor) - 1 }),
    expected: (known) => ({ ...atK(known, 'chain', 'fingerprint'), ...someSums }),
  },
  {
    what: 'an amount that was edited with its fingerprint and all roll-ups',
    plant: async (db, { k }) => {
      const row = await find(db, k);
      const edited = { ...row, amount_minor: Number(row.amount_minor) - 1 };
      await edit(db, k, { amount_minor: edited.amount_minor, fingerprint: fingerprintOf(edited) });
      await rebuildRollups(db);
    },
    expected: (known) => atK(known, 'chain'),
  },
  {
    what: 'an edited text',
    plant: async (db, { k }) => edit(db, k, { text: asLong((await find(db, k)).text) }),
    expected: (known) => atK(known, 'chain'),
  },
  {
    what: 'a text that became longer',
    plant: async (db, { k }) => edit(db, k, { text: `${(await find(db, k)).text}!` }),
    expected: (known) => ({ ...atK(known, 'chain'), 'resident roll-up': /^1003\// }),
  },
  {
    what: 'a text that was edited with its own link',
    plant: async (db, { k }) => {
      const was = await find(db, k);
      const row = { ...was, text: asLong(was.text) };
      await edit(db, k, { text: row.text, chain: postingLink((await find(db, k - 1)).chain, row) });
    },
    expected: ({ k }) => ({ chain: `posting ${k + 1}` }),
  },
  {
    what: 'an edited link',
    plant: (db, { k }) => edit(db, k, { chain: 'x'.repeat(43) }),
    expected: (known) => atK(known, 'chain'),
  },
  {
    what: 'an emptied link',
    plant: (db, { k }) => edit(db, k, { chain: '' }),
    expected: (known) => atK(known, 'chain'),
  },
  {
    what: 'an edited last link',
    plant: (db) => edit(db, lastId, { chain: 'x'.repeat(43) }),
    expected: () => ({ chain: `posting ${lastId}` }),
  },
  {
    what: 'an edited fingerprint',
    plant: (db, { k }) => edit(db, k, { fingerprint: 1 }),
    expected: (known) => ({ ...atK(known, 'chain', 'fingerprint'), ...someRollup }),
  },
  {
    what: 'a deleted row in the middle',
    plant: (db, { k }) => db.deleteFrom('postings').where('bank_id', '=', bankId).where('posting_id', '=', k).execute(),
    expected: ({ k }) => ({ 'missing posting': `posting ${k}`, chain: `posting ${k + 1}`, ...someSums }),
  },
  {
    what: 'a deleted row whose followers moved up',
    plant: async (db, { k }) => {
      await db.deleteFrom('postings').where('bank_id', '=', bankId).where('posting_id', '=', k).execute();
      for (let id = k + 1; id <= k + 20; id += 1) await edit(db, id, { posting_id: id - 1 });
    },
    expected: ({ k }) => ({
      ...atK({ k } as Known, 'chain', 'fingerprint'),
      'missing posting': `posting ${k + 20}`,
      ...someSums,
    }),
  },
  {
    what: 'a deleted tail',
    plant: (db) =>
      db
        .deleteFrom('postings')
        .where('bank_id', '=', bankId)
        .where('posting_id', '>', lastId - 3)
        .execute(),
    expected: () => ({
      'missing posting': `postings ${lastId - 2} to ${lastId}`,
      'device record': 'record 1',
      'reversal count': 'ledger',
      ...someSums,
    }),
  },
  {
    what: 'a tail that was deleted with its roll-ups and the head set back, beyond the last closing',
    plant: async (db, { openPeriod }) => {
      const kept = db.selectFrom('postings').select(({ fn }) => fn.max('posting_id').as('id'));
      const { id } = await kept
        .where('bank_id', '=', bankId)
        .where('period', '<', openPeriod)
        .executeTakeFirstOrThrow();
      await db.deleteFrom('postings').where('bank_id', '=', bankId).where('posting_id', '>=', id).execute();
      await head(db, { next_posting_id: id });
      await rebuildRollups(db);
    },
    expected: ({ openPeriod }) => ({
      closing: `period ${openPeriod - 1}`,
      'device record': 'record 1',
      'reversal count': 'ledger',
    }),
  },
  {
    what: 'no posting left at all',
    plant: (db) => db.deleteFrom('postings').where('bank_id', '=', bankId).execute(),
    expected: () => ({
      'missing posting': `postings 1 to ${lastId}`,
      closing: /^period \d+$/,
      'device record': 'record 1',
      'reversal count': 'ledger',
      ...someSums,
    }),
  },
  {
    what: 'a row put in beyond the head',
    plant: async (db, { k }) => {
      const row = { ...(await find(db, k)), posting_id: lastId + 1, period: 27 };
      const sealed = { ...row, fingerprint: fingerprintOf(row) };
      const { chain } = await find(db, lastId);
      await db
        .insertInto('postings')
        .values({ ...sealed, chain: postingLink(chain, sealed) })
        .execute();
    },
    expected: () => ({ 'posting beyond the head': `posting ${lastId + 1}`, ...someSums }),
  },
  {
    what: 'a row put in below the first',
    plant: async (db, { k }) =>
      db
        .insertInto('postings')
        .values({ ...(await find(db, k)), posting_id: -7, period: 1 })
        .execute(),
    expected: () => ({
      'posting beyond the head': 'posting -7',
      chain: 'posting -7',
      fingerprint: 'posting -7',
      ...someSums,
    }),
  },
  {
    what: 'two rows that changed places',
    plant: async (db, { k }) => {
      const [one, two] = [await find(db, k), await find(db, k + 1)];
      await edit(db, k, { ...two, posting_id: k });
      await edit(db, k + 1, { ...one, posting_id: k + 1 });
    },
    expected: (known) => atK(known, 'chain', 'fingerprint'),
  },
  {
    what: 'a row moved to a period that is not open yet',
    plant: (db, { k }) => edit(db, k, { period: 28 }),
    expected: (known) => ({ ...atK(known, 'chain', 'fingerprint', 'period'), ...someSums }),
  },
  {
    what: 'a row moved to an earlier period',
    plant: (db, { k, period }) => edit(db, k, { period: period - 1 }),
    expected: (known) => ({
      ...atK(known, 'chain', 'fingerprint', 'period'),
      closing: `period ${known.period - 1}`,
      ...someSums,
    }),
  },
  {
    what: 'a closing whose end was edited',
    plant: (db) => closing(db, 5, { through_at: 1 }),
    expected: () => ({ closing: 'period 5', period: 'period 6' }),
  },
  {
    what: 'a boundary that was moved on both sides',
    plant: async (db) => {
      await closing(db, 5, { through_at: 1 });
      await closing(db, 6, { from_at: 1 });
    },
    expected: () => ({ closing: 'period 5' }),
  },
  {
    what: 'a closing at another time',
    plant: (db) => closing(db, 5, { closed_at: 1 }),
    expected: () => ({ closing: 'period 5' }),
  },
  {
    what: 'an edited link of a closing',
    plant: (db) => closing(db, 5, { chain: 'x'.repeat(43) }),
    expected: () => ({ closing: 'period 5', chain: /^posting \d+$/ }),
  },
  {
    what: 'a closing that is gone',
    plant: (db) => db.deleteFrom('settlement_periods').where('bank_id', '=', bankId).where('period', '=', 5).execute(),
    expected: () => ({ period: 'period 5', chain: /^posting \d+$/ }),
  },
  {
    what: 'a closing of a period that is still open',
    plant: (db) =>
      db
        .insertInto('settlement_periods')
        .values({ bank_id: bankId, period: 27, from_at: 1, through_at: 2, closed_at: 3, chain: '' })
        .execute(),
    expected: () => ({ period: 'period 27' }),
  },
  {
    what: 'an open period that began at another time',
    plant: (db) => head(db, { opened_at: 1 }),
    expected: () => ({ period: 'period 27' }),
  },
  {
    what: 'an open period of another number',
    plant: (db) => head(db, { open_period: 28 }),
    expected: () => ({ period: 'period 27' }),
  },
  {
    what: 'a head that promises more',
    plant: (db) => head(db, { next_posting_id: lastId + 2 }),
    expected: () => ({ 'missing posting': `posting ${lastId + 1}` }),
  },
  {
    what: 'a head that counts another number of reversals',
    plant: (db) => head(db, { reversals: 4711 }),
    expected: () => ({ 'reversal count': 'ledger' }),
  },
  {
    what: 'a reversal of another posting',
    plant: (db, { k, reversal }) => edit(db, reversal.posting_id, { reversal_of: k }),
    expected: ({ reversal }) => ({
      chain: `posting ${reversal.posting_id}`,
      'reversal unlike its original': `posting ${reversal.posting_id}`,
    }),
  },
  {
    what: 'a reversal of nothing',
    plant: (db, { reversal }) => edit(db, reversal.posting_id, { reversal_of: lastId + 5 }),
    expected: ({ reversal }) => ({
      chain: `posting ${reversal.posting_id}`,
      'reversal without its original': `posting ${reversal.posting_id}`,
    }),
  },
  {
    what: 'a reversal of itself',
    plant: (db, { reversal }) => edit(db, reversal.posting_id, { reversal_of: reversal.posting_id }),
    expected: ({ reversal }) => ({
      chain: `posting ${reversal.posting_id}`,
      'reversal of no original': `posting ${reversal.posting_id}`,
    }),
  },
  {
    what: 'a reversal that lost its link',
    plant: (db, { reversal }) => edit(db, reversal.posting_id, { reversal_of: null }),
    expected: ({ reversal }) => ({
      chain: `posting ${reversal.posting_id}`,
      'device record': 'record 1',
      'reversal count': 'ledger',
    }),
  },
  {
    what: 'a reversal of another person',
    plant: (db, { reversal }) => edit(db, reversal.posting_id, { user_id: reversal.user_id + 1 }),
    expected: ({ reversal }) => ({
      chain: `posting ${reversal.posting_id}`,
      'resident roll-up': /^1003\//,
      'reversal unlike its original': `posting ${reversal.posting_id}`,
    }),
  },
  {
    what: 'an edited roll-up',
    plant: (db) => rollup(db, { count: 4711 }),
    expected: () => ({ 'roll-up': '1003/0/0/4/3/0/DKK', ...someSettlement }),
  },
  {
    what: 'a roll-up too many',
    plant: (db) => rollup(db, { currency: 'NOK' }),
    expected: () => ({ 'roll-up': /^1003\/0\/0\/4\/3\/0\//, ...someSettlement }),
  },
  {
    what: 'an edited roll-up of a resident',
    plant: (db, known) => residentRollup(db, known, { amount_low: 4711 }),
    expected: ({ residentKey }) => ({ 'resident roll-up': residentKey }),
  },
  {
    what: 'a roll-up of a resident whose first instant was edited',
    plant: (db, known) => residentRollup(db, known, { earliest: 4711 }),
    expected: ({ residentKey }) => ({ 'resident roll-up': residentKey }),
  },
  {
    what: 'a resident’s roll-ups gone',
    plant: (db, { resident }) =>
      db.deleteFrom('resident_rollups').where('bank_id', '=', bankId).where('user_id', '=', resident).execute(),
    expected: ({ resident }) => ({ 'resident roll-up': new RegExp(`^1003/${resident}/`) }),
  },
  {
    what: 'a roll-up of a resident who has no posting',
    plant: (db, known) => residentRollup(db, known, { user_id: 99_999 }),
    expected: () => ({ 'resident roll-up': /^1003\/99999\// }),
  },
  {
    what: 'a device record that is gone',
    plant: (db) => db.deleteFrom('device_sync').where('bank_id', '=', bankId).where('sync_id', '=', 1).execute(),
    expected: () => ({ 'device record': 'record 1' }),
  },
  {
    what: 'the last device record gone',
    plant: (db) => db.deleteFrom('device_sync').where('bank_id', '=', bankId).where('sync_id', '=', 2).execute(),
    expected: () => ({ 'device record': 'record 2' }),
  },
  {
    what: 'device records that nobody queued',
    plant: (db) => db.deleteFrom('device_sync_heads').where('bank_id', '=', bankId).execute(),
    expected: () => ({ 'device record': 'record 1' }),
  },
  {
    what: 'a device record of another posting',
    plant: (db, { k }) => record(db, 2, { subject_id: k }),
    expected: () => ({ 'device record': 'record 2' }),
  },
  {
    what: 'a device record of no posting',
    plant: (db) => record(db, 2, { subject_id: lastId + 5 }),
    expected: () => ({ 'device record': 'record 2' }),
  },
  {
    what: 'a device record of another place',
    plant: (db) => record(db, 1, { unit_id: 4711 }),
    expected: () => ({ 'device record': 'record 1' }),
  },
  {
    what: 'a device record in no known state',
    plant: (db) => record(db, 1, { state: 'lost' }),
    expected: () => ({ 'device record': 'record 1' }),
  },
];

/** Roll-ups as the postings that are there would have them: what somebody would do who covers the tracks. */
async function rebuildRollups(db: WriteDb): Promise<void> {
  for (const table of ['posting_rollups', 'resident_rollups'] as const)
    await db.deleteFrom(table).where('bank_id', '=', bankId).execute();
  const rows = await db.selectFrom('postings').selectAll().where('bank_id', '=', bankId).execute();
  await db.words.upsertMerging(db, 'posting_rollups', rollupsOf(rows), mergingRollups);
  await db.words.upsertMerging(db, 'resident_rollups', residentRollupsOf(rows), mergingResidentRollups);
}
