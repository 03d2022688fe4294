// Imports of bookings through HTTP: what is booked, what is refused row by row, and what is taken back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RowError } from '../../src/features/import-kinds/import-kind.ts';
import { getBooking } from '../support/bookings.ts';
import { applyPlan, csvOf, listRows, planFile, sendFile, undoApplied } from '../support/imports.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { newBookableBank } from '../support/with-bank.ts';

const header = ['key', 'unit', 'resident', 'from', 'to', 'price', 'bookedAt'];

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, issueToken } = suite;
  const options = (bankId: number) => ({ ...manager, kind: 'bookings', bankId });
  const plan = (bankId: number, ...rows: (readonly string[])[]) =>
    planFile(service, csvOf(header, ...rows), options(bankId));
  const codesOf = async (kid: string): Promise<string[]> =>
    (await listRows(service, kid, manager)).map(({ key, action, errors }) =>
      [key, action, ...errors.map(({ field, code }: RowError) => `${field} ${code}`)].join(' '),
    );
  const rowOf = (bankId: number, key: string, from: string, to: string, bookedAt = '2026-06-01T08:00:00Z') => [
    key,
    `sund-B${bankId}-L1-U1`,
    `sund-B${bankId}-R1001`,
    from,
    to,
    '25.00',
    bookedAt,
  ];

  test('bookings of a file are booked, unchanged when it comes again, and cancelled by an undo as far as they can be', async () => {
    const bankId = await newBookableBank(suite);
    const rows = [
      rowOf(bankId, 'a', '2026-06-16T12:00', '2026-06-16T14:00'),
      rowOf(bankId, 'b', '2026-06-16T14:00', '2026-06-16T16:00'),
      rowOf(bankId, 'over', '2026-01-16T12:00', '2026-01-16T14:00', '2026-01-01T08:00:00Z'),
    ];
    const planned = await plan(bankId, ...rows);
    assert.deepEqual(planned.counts, { create: 3, update: 0, unchanged: 0, missing: 0, refused: 0 });
    const applied = await applyPlan(service, planned, manager);
    assert.equal(applied.state, 'applied', JSON.stringify(await listRows(service, planned.kid, manager)));
    const stored = await listRows(service, planned.kid, manager);
    const kids = stored.map(({ objectKid }) => String(objectKid));
    assert.match(kids[0] ?? '', new RegExp(`^sund-B${bankId}-E\\d+$`));
    const idOf = (kid = ''): number => Number(kid.split('-E')[1]);
    const read = async (at: number) => (await getBooking(service, idOf(kids[at]), { ...manager, bankId })).json;
    const first = await read(0);
    assert.deepEqual([first.state, first.startUtc], ['Booked', '2026-06-16T10:00:00.000Z'], JSON.stringify(first));
    const again = await plan(bankId, ...rows);
    assert.equal(again.counts.unchanged, 3);
    const changed = await plan(bankId, rows[0]!.with(5, '30.00'));
    assert.deepEqual(await codesOf(changed.kid), ['a refused price cannot-change']);
    const undone = await undoApplied(service, applied, manager);
    assert.deepEqual([undone.state, undone.outcomes.undone, undone.outcomes.kept], ['undone', 2, 1]);
    const outcomes = (await listRows(service, planned.kid, manager)).map(({ key, outcome }) => `${key} ${outcome}`);
    assert.deepEqual(outcomes, ['a undone', 'b undone', 'over kept']);
    assert.deepEqual([(await read(0)).state, (await read(2)).state], ['Cancelled', 'Completed']);
  });

  test('rows that the rules of bookings refuse are named, and nothing of the file is booked', async () => {
    const bankId = await newBookableBank(suite, { settings: { BookingHorizon: '30' } });
    const row = rowOf(bankId, 'good', '2026-06-16T12:00', '2026-06-16T14:00');
    const planned = await plan(
      bankId,
      row,
      rowOf(bankId, 'overlap', '2026-06-16T13:00', '2026-06-16T15:00'),
      rowOf(bankId, 'odd', '2026-06-17T12:01', '2026-06-17T13:00'),
      rowOf(bankId, 'early', '2026-06-17T12:00', '2026-06-17T13:00', '2026-03-01T00:00:00Z'),
      rowOf(bankId, 'unit', '2026-06-18T12:00', '2026-06-18T13:00').with(1, `sund-B${bankId}-L1-U9`),
      rowOf(bankId, 'resident', '2026-06-18T12:00', '2026-06-18T13:00').with(2, 'nobody'),
      rowOf(bankId, 'price', '2026-06-18T12:00', '2026-06-18T13:00').with(5, 'free'),
    );
    const codes = await codesOf(planned.kid);
    assert.equal(codes[0], 'good create');
    assert.match(codes[1] ?? '', /^overlap refused \S+ repeated$/);
    assert.deepEqual(codes.slice(2), [
      'odd refused to invalid',
      'early refused from horizon',
      'unit refused unit unknown-reference',
      'resident refused resident unknown-reference',
      'price refused price not-an-amount',
    ]);
    const path = `/api/v1/imports/${planned.kid}/apply`;
    const body = { expectedRevision: planned.revision };
    const refused = await service.call('POST', path, { ...manager, body });
    assert.deepEqual([refused.status, refused.json.reason], [422, 'rows-refused']);
    const count = await service.read('sund', (db) =>
      db.selectFrom('bookings').select('event_id').where('bank_id', '=', bankId).execute(),
    );
    assert.deepEqual(count, []);
  });

  test('a time that somebody has booked after the plan is stale, and nothing of the file is booked', async () => {
    const bankId = await newBookableBank(suite);
    const planned = await plan(bankId, rowOf(bankId, 'late', '2026-06-16T12:00', '2026-06-16T14:00'));
    const other = await plan(bankId, rowOf(bankId, 'first', '2026-06-16T13:00', '2026-06-16T15:00'));
    assert.equal((await applyPlan(service, other, manager)).state, 'applied');
    const failed = await applyPlan(service, planned, manager);
    assert.deepEqual([failed.state, failed.outcomes.applied], ['failed', 0]);
    const [row] = await listRows(service, planned.kid, manager);
    assert.deepEqual([row.outcome, row.errors[0].code], ['failed', 'overlap']);
  });

  test('needs the right to write units in the whole bank', async () => {
    const bankId = await newBookableBank(suite);
    const send = async (issued: Parameters<typeof issueToken>[0]) =>
      sendFile(service, csvOf(header), { ...options(bankId), token: await issueToken(issued) });
    const narrow = await send({ grants: [{ bankId, locationId: 1 }] });
    assert.deepEqual([narrow.status, narrow.json.reason], [403, 'too-narrow']);
    const reader = await send({ permissions: ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'] });
    assert.deepEqual([reader.status, reader.json.reason], [403, 'missing-unit-write']);
  });
});
