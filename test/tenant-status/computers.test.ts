// The alerts of the tenant status that are about computers: lines that are held, clocks that are wrong, and computers that
// do not know what they should.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, minuteMs, testNow } from '../support/times.ts';
import { deleteComputers, heldLineRow, insertComputer, syncRow } from './support/computer-rows.ts';
import {
  alertsOf,
  deletePlaces,
  insertBankOfUnits,
  pageTarget,
  readStatusPage,
  readTenantStatus,
} from './support/status-units.ts';

const kinds = ['HeldLines', 'ClockWrong', 'SyncStale'] as const;
type Kind = (typeof kinds)[number];

/** A bank with two locations: computer 1 has a unit in each, computer 2 two units in the second one. */
const places = {
  1: [{ computer_name: null }, { computer_name: 'one' }],
  2: [{ computer_name: 'one' }, { computer_name: 'two' }, { computer_name: 'two' }],
};

type Draft = {
  readonly state?: Partial<Tables['computer_states']> | null;
  readonly computer?: Partial<Tables['computers']>;
  readonly lines?: readonly Partial<Tables['held_lines']>[];
  readonly syncs?: readonly Partial<Tables['device_sync']>[];
};
type Case = readonly [what: string, draft: Draft, ...alerts: string[]];

const ofUnit = (locationId: number, unitId: number) => ({ location_id: locationId, unit_id: unitId });
const first = 'L1-U2';

const clockCases: readonly Case[] = [
  ['two minutes ahead', { state: { clock_offset_ms: 2 * minuteMs } }, `ClockWrong:${first}`],
  ['two minutes behind', { state: { clock_offset_ms: -2 * minuteMs } }, `ClockWrong:${first}`],
  ['a millisecond less than two minutes ahead', { state: { clock_offset_ms: 2 * minuteMs - 1 } }],
  ['a millisecond less than two minutes behind', { state: { clock_offset_ms: 1 - 2 * minuteMs } }],
  ['years ahead', { state: { clock_offset_ms: 9000 * dayMs } }, `ClockWrong:${first}`],
  ['no clock', { state: { clock_offset_ms: null } }],
  ['revoked', { state: { clock_offset_ms: hourMs }, computer: { revoked_at: testNow } }],
  ['never enrolled', { state: null }],
  [
    '100 days silent',
    { state: { clock_offset_ms: hourMs, last_contact_at: testNow - 100 * dayMs } },
    `ClockWrong:${first}`,
  ],
  ['101 days silent', { state: { clock_offset_ms: hourMs, last_contact_at: testNow - 101 * dayMs } }],
  ['without a unit', { state: { clock_offset_ms: hourMs }, computer: { name: 'elsewhere' } }],
];

const unit = ofUnit(1, 2);
const contact = (ms: number) => ({ last_contact_at: testNow - ms });
const queued = (ms: number) => ({ ...unit, created_at: testNow - ms });
const staleCases: readonly Case[] = [
  ['queued for an hour', { state: contact(0), syncs: [queued(hourMs)] }, `SyncStale:${first}`],
  ['queued for a millisecond less', { state: contact(0), syncs: [queued(hourMs - 1)] }],
  ['sent for a day', { syncs: [{ ...queued(dayMs), state: 'sent' }] }, `SyncStale:${first}`],
  ['several', { syncs: [queued(dayMs), queued(2 * dayMs), queued(1)] }, `SyncStale:${first}`],
  ['out of contact since', { state: contact(2 * dayMs), syncs: [queued(2 * dayMs - 1)] }],
  ['in contact for less than an hour', { state: contact(dayMs), syncs: [queued(dayMs + hourMs - 1)] }],
  ['in contact an hour after', { state: contact(dayMs), syncs: [queued(dayMs + hourMs)] }, `SyncStale:${first}`],
  ['new', { computer: { created_at: testNow - hourMs }, syncs: [queued(9 * dayMs)] }],
  ['of another unit of the computer', { syncs: [{ ...queued(dayMs), ...ofUnit(2, 1) }] }, `SyncStale:${first}`],
  ['of a unit without a computer', { syncs: [{ ...queued(dayMs), ...ofUnit(1, 1) }] }],
  ['of no unit', { syncs: [{ ...queued(dayMs), ...ofUnit(0, 0) }] }],
  ...(['acknowledged', 'failed', 'superseded', 'expired'] as const).map((state): Case => [
    state,
    { syncs: [{ ...queued(dayMs), state }] },
  ]),
  ['revoked', { computer: { revoked_at: testNow }, syncs: [queued(dayMs)] }],
  ['other digests', { state: { digests_equal: 0 } }, `SyncStale:${first}`],
  ['equal digests', { state: { digests_equal: 1 } }],
  ['no digests yet', { state: { digests_equal: null } }],
  ['other digests, 101 days ago', { state: { digests_equal: 0, ...contact(101 * dayMs) } }],
];

const heldCases: readonly Case[] = [
  ['of a unit', { lines: [ofUnit(2, 1)] }, 'HeldLines:L2-U1'],
  ['of a unit without a computer now', { lines: [ofUnit(1, 1)] }, 'HeldLines:L1-U1'],
  ['of two units', { lines: [ofUnit(2, 1), ofUnit(2, 1), unit] }, `HeldLines:${first}`, 'HeldLines:L2-U1'],
  ['of no unit', { lines: [ofUnit(0, 0)] }, `HeldLines:${first}`],
  ['of the unit and of none', { lines: [unit, ofUnit(0, 0)] }, `HeldLines:${first}`],
  ['of no unit, revoked', { lines: [ofUnit(0, 0)], computer: { revoked_at: testNow } }, `HeldLines:${first}`],
  ['of a stream of samples', { lines: [{ ...unit, stream: 'samples' }] }, `HeldLines:${first}`],
  ['resolved', { lines: [{ ...unit, state: 'resolved' }] }],
  ['discarded', { lines: [{ ...ofUnit(0, 0), state: 'discarded' }] }],
  ['of a unit that is not there', { lines: [ofUnit(1, 9)] }],
];

serviceSuite({ now: testNow }, ({ service, manager, issueToken }) => {
  async function insertCase(bankId: number, { state, computer, lines = [], syncs = [] }: Draft): Promise<void> {
    await service.write('sund', async (db) => {
      await insertBankOfUnits(db, bankId, places);
      await insertComputer(db, { bankId, computerId: 1, name: 'one' }, state, computer);
      await insertComputer(db, { bankId, computerId: 2, name: 'two' });
      await insertRows(
        db,
        'held_lines',
        lines.map((row, at) => heldLineRow(bankId, at + 1, row)),
      );
      await insertRows(
        db,
        'device_sync',
        syncs.map((row, at) => syncRow(bankId, at + 1, row)),
      );
    });
  }

  async function clear(): Promise<void> {
    await service.write('sund', async (db) => {
      await deleteComputers(db);
      await deletePlaces(db);
    });
  }

  /** Each case in a bank of its own; compares what is shown of all of them. */
  async function check(cases: readonly Case[]): Promise<void> {
    await clear();
    for (const [at, [, draft]] of cases.entries()) await insertCase(1001 + at, draft);
    const { items, sources } = await readTenantStatus(service, manager);
    const shown = cases.map(([what], at) => {
      const ofBank = items.filter(({ bankKid }) => bankKid === `sund-B${1001 + at}`);
      return [what, ofBank.map(({ kind, kid }) => `${kind}:${kid.slice('sund-B1001-'.length)}`).toSorted()];
    });
    assert.deepEqual(
      shown,
      cases.map(([what, , ...alerts]) => [what, alerts.toSorted()]),
    );
    for (const kind of kinds) {
      const count = cases.flatMap(([, , ...alerts]) => alerts).filter((each) => each.startsWith(kind)).length;
      assert.deepEqual(
        sources.find((each) => each.kind === kind),
        { kind, count, hasMore: false, errorCode: null },
      );
    }
  }

  test('an enrolled computer whose clock is two minutes or more ahead or behind is shown, at the first of its units', () =>
    check(clockCases));

  test('a computer that was in contact and left a record of its units unconfirmed for an hour is shown, and one with other digests', () =>
    check(staleCases));

  test('each unit with held lines is shown, and lines of no unit at the first unit of their computer', () =>
    check(heldCases));

  test('an alert about a computer has the fields of its unit, and its time', async () => {
    await clear();
    const oldest = testNow - 3 * dayMs;
    await insertCase(1001, {
      state: { clock_offset_ms: hourMs, digests_equal: 0 },
      lines: [
        { ...unit, received_at: testNow - hourMs },
        { ...ofUnit(0, 0), received_at: testNow - 5 * minuteMs },
      ],
      syncs: [queued(2 * dayMs), { ...queued(0), created_at: oldest }],
    });
    const { items } = await readTenantStatus(service, manager);
    const expected: [Kind, string][] = [
      ['ClockWrong', '2026-06-15T09:29:00.000Z'],
      ['HeldLines', '2026-06-15T09:25:00.000Z'],
      ['SyncStale', '2026-06-12T09:30:00.000Z'],
    ];
    const common = { kid: `sund-B1001-${first}`, bankKid: 'sund-B1001', locationKid: 'sund-B1001-L1' };
    const names = { bankName: 'Bank 1001', locationName: 'Location 1', unitName: 'Washer 2', computerName: 'one' };
    const icons = { iconKid: 'washer', bankIconKid: 'bank_building', locationIconKid: items[0]?.locationIconKid };
    assert.deepEqual(
      items,
      expected.map(([kind, timestampUtc]) => ({
        kind,
        ...common,
        ...names,
        bankType: 'Cash',
        unitType: 1,
        errorId: null,
        errorText: null,
        timestampUtc,
        ...icons,
      })),
    );
  });

  test('units of disabled locations, and deleted ones, are no first units and have no held lines', async () => {
    await clear();
    await insertCase(1001, {
      state: { clock_offset_ms: hourMs, digests_equal: 0 },
      lines: [unit, ofUnit(0, 0)],
      syncs: [queued(dayMs)],
    });
    const alerts = async () => alertsOf(await readTenantStatus(service, manager)).toSorted();
    await service.write('sund', (db) =>
      db.updateTable('locations').set({ enabled: 0 }).where('location_id', '=', 1).execute(),
    );
    const at = (kid: string) => kinds.map((kind) => `${kind}:sund-B1001-${kid}`).toSorted();
    assert.deepEqual(await alerts(), at('L2-U1'));
    await service.write('sund', (db) => db.updateTable('units').set({ deleted_at: 1 }).execute());
    assert.deepEqual(await alerts(), []);
  });

  test('a grant of a location shows what it holds: lines of its units, and the computers of its units at these', async () => {
    await clear();
    for (const bankId of [1001, 1002])
      await insertCase(bankId, {
        state: { clock_offset_ms: hourMs, digests_equal: 0 },
        lines: [unit, ofUnit(0, 0), ofUnit(2, 3)],
      });
    const everyComputer = ['ClockWrong', 'SyncStale'];
    const table: [locationId: number, kids: string[]][] = [
      [0, [`HeldLines:${first}`, 'HeldLines:L2-U3', ...everyComputer.map((kind) => `${kind}:${first}`)]],
      [1, [`HeldLines:${first}`, ...everyComputer.map((kind) => `${kind}:${first}`)]],
      [2, ['HeldLines:L2-U3', ...everyComputer.map((kind) => `${kind}:L2-U1`)]],
      [9, []],
    ];
    for (const [locationId, kids] of table) {
      const token = await issueToken({ grants: [{ bankId: 1002, locationId }] });
      const status = await readTenantStatus(service, { token });
      assert.deepEqual(
        alertsOf(status).toSorted(),
        kids.map((each) => each.replace(':', ':sund-B1002-')).toSorted(),
        String(locationId),
      );
      assert.equal(
        status.sources.reduce((sum, { count }) => sum + count, 0),
        kids.length,
      );
    }
  });

  test('lines that name no unit are not shown to those who see a location of the bank alone', async () => {
    await clear();
    await insertCase(1001, { lines: [ofUnit(0, 0)] });
    const token = await issueToken({ grants: [{ bankId: 1001, locationId: 1 }] });
    assert.deepEqual(alertsOf(await readTenantStatus(service, { token })), []);
    assert.deepEqual(alertsOf(await readTenantStatus(service, manager)), [`HeldLines:sund-B1001-${first}`]);
  });

  test('a limit takes the newest of each kind and says that there are more', async () => {
    await clear();
    for (const bankId of [1001, 1002, 1003])
      await insertCase(bankId, {
        state: { clock_offset_ms: hourMs, digests_equal: 0, last_contact_at: testNow - bankId },
        lines: [{ ...unit, received_at: testNow - bankId }],
      });
    const { items, sources } = await readTenantStatus(service, manager, 'limit=2');
    assert.deepEqual(
      sources.slice(2),
      kinds.map((kind) => ({ kind, count: 2, hasMore: true, errorCode: null })),
    );
    assert.deepEqual(
      alertsOf({ items }),
      [1001, 1002].flatMap((bankId) => kinds.toSorted().map((kind) => `${kind}:sund-B${bankId}-${first}`)),
    );
  });

  test('pages of a snapshot have these alerts, and begin at the anchor of one', async () => {
    await clear();
    for (const bankId of [1001, 1002, 1003])
      await insertCase(bankId, { state: { clock_offset_ms: hourMs }, lines: [ofUnit(2, 1)] });
    const whole = alertsOf(await readTenantStatus(service, manager));
    assert.equal(whole.length, 6);
    const found: string[] = [];
    for (let page = await readStatusPage(service, manager, { pageSize: 4 }); ;) {
      found.push(...alertsOf(page.status));
      assert.deepEqual(
        page.status.sources.map(({ count }) => count),
        [0, 0, 3, 3, 0],
      );
      if (page.nextCursor === null) break;
      page = await readStatusPage(service, manager, { pageSize: 4, cursor: page.nextCursor });
    }
    assert.deepEqual(found, whole);
    const anchor = whole[3] ?? '';
    const { status, offset } = await readStatusPage(service, manager, { anchor });
    assert.deepEqual([offset, alertsOf(status)[0]], [3, anchor]);
    const refused = await service.call('GET', pageTarget({ anchor: 'HeldLines:sund-B1001-C1' }), manager);
    assert.deepEqual([refused.status, refused.json.code], [400, 'invalid-page']);
  });
});
