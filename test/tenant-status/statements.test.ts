// What the tenant status asks of the database: one statement for each source, each by its own index.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createDeferred, waitUntil } from '../support/async.ts';
import type { HttpReply } from '../support/call.ts';
import { startInstance } from '../support/instances.ts';
import type { WriteDb } from '../../src/database/db.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import {
  startReadRecorder,
  type QueryPlanStep,
  type ReadRecorder,
  type Statement,
} from '../support/recorded-statements.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { heldLineRow, insertComputer, syncRow } from './support/computer-rows.ts';
import { deletePlaces, insertBankOfUnits, pagePath, settingRow, statusPath } from './support/status-units.ts';

const banks = 20;
const locations = 10;
const units = 25;

const filledTables = [
  'banks',
  'locations',
  'units',
  'unit_settings',
  'computers',
  'computer_states',
  'held_lines',
  'device_sync',
];

const linesOfBank = 200;
const endStates = ['acknowledged', 'failed', 'superseded', 'expired'] as const;

/** Two computers of a bank with a few lines and records that wait, and many that do not. */
async function insertComputers(db: WriteDb, bankId: number): Promise<void> {
  for (const computerId of [1, 2])
    await insertComputer(db, { bankId, computerId, name: `computer-${computerId}` }, { clock_offset_ms: 0 });
  for (let locationId = 1; locationId <= locations; locationId += 1)
    await db
      .updateTable('units')
      .set({ computer_name: `computer-${1 + (locationId % 2)}` })
      .where('bank_id', '=', bankId)
      .where('location_id', '=', locationId)
      .execute();
  const numbers = Array.from({ length: linesOfBank }, (_, at) => at + 1);
  const unit = { location_id: 1, unit_id: 1 };
  await insertRows(
    db,
    'held_lines',
    numbers.map((id) => heldLineRow(bankId, id, { ...unit, state: id % 50 === 0 ? 'held' : 'resolved' })),
  );
  await insertRows(
    db,
    'device_sync',
    numbers.map((id) => syncRow(bankId, id, { ...unit, state: id % 50 === 0 ? 'queued' : endStates[id % 4]! })),
  );
}

/** Of five thousand units a few are silent, and a few have an error; most had one. */
const lastContactAt = (unit: number): number => (unit % 100 === 0 ? testNow - 3 * dayMs : testNow - (unit % 50) * 1000);
const errorId = (unit: number): string => (unit % 100 === 1 ? '31' : '0');

serviceSuite({ now: testNow }, ({ engine, service, manager, issueToken, onStop }) => {
  let recorder: ReadRecorder;
  before(async () => {
    recorder = await startReadRecorder(service);
    onStop(recorder.stop);
    await service.write('sund', async (db) => {
      await deletePlaces(db);
      const settings: Tables['unit_settings'][] = [];
      let at = 0;
      for (let bankId = 1001; bankId <= 1000 + banks; bankId += 1) {
        const tree: Record<number, { last_contact_at: number }[]> = {};
        for (let locationId = 1; locationId <= locations; locationId += 1)
          tree[locationId] = Array.from({ length: units }, (_, index) => {
            at += 1;
            const key = { bankId, locationId, unitId: index + 1 };
            settings.push(settingRow(key, ['AutoOutOfOrder', errorId(at), testNow - at]));
            settings.push(settingRow(key, ['Note', '31']), settingRow(key, ['ReportInterval', '60']));
            return { last_contact_at: lastContactAt(at) };
          });
        await insertBankOfUnits(db, bankId, tree);
        await insertComputers(db, bankId);
      }
      await insertRows(db, 'unit_settings', settings);
    });
    // What MariaDB knows of the sizes of tables it learns in the background.
    if (engine === 'mariadb')
      await service.dependencies.databases.forTenant('sund').read({ deadlineMs: 30_000 }, async (db) => {
        for (const table of filledTables) await sql`analyze table ${sql.table(table)}`.execute(db);
      });
  });

  async function readStatements(path: string, token = manager.token): Promise<Statement[]> {
    const statements = await recorder.statementsOf(path, token);
    return statements.filter(({ sql: text }) => /from `?"?units/.test(text));
  }

  test('[status.20] each lookup is one statement, whatever the grants and the number of rows', async () => {
    const tokens = [
      manager.token,
      await issueToken({ grants: [{ bankId: 1003, locationId: 0 }] }),
      await issueToken({ grants: [1001, 1002, 1003].map((bankId) => ({ bankId, locationId: 2 })) }),
    ];
    for (const token of tokens)
      for (const path of [statusPath, `${statusPath}?limit=1`, `${statusPath}?limit=1000`, pagePath])
        assert.equal((await recorder.statementsOf(path, token)).length, 5, path);
  });

  test('concurrent requests share a read, and none gets a read that began before the request', async () => {
    const released = createDeferred();
    let [reads, held] = [0, 0];
    const { databases } = service.dependencies;
    const instance = await startInstance(service, {
      databases: {
        ...databases,
        forTenant: (tenant) => ({
          ...databases.forTenant(tenant),
          // The first read is that of the session; what the four of the reading have read is held back.
          read: async (options, work) => {
            reads += 1;
            const isHeld = reads >= 2 && reads <= 5;
            const result = await databases.forTenant(tenant).read(options, work);
            if (isHeld) {
              held += 1;
              await released.promise;
            }
            return result;
          },
        }),
      },
    });
    onStop(instance.stop);
    const get = (query = '') => instance.call('GET', `${statusPath}${query}`, manager);
    const first = get();
    await waitUntil('the first reading is held back', () => held === 4);
    await service.write('sund', (db) =>
      db.updateTable('banks').set({ name: 'Renamed' }).where('bank_id', '=', 1001).execute(),
    );
    const others = Array.from({ length: 20 }, () => get());
    // Another limit is another reading. When it is answered, most of the others wait for the next one.
    assert.equal((await get('?limit=7')).status, 200);
    released.resolve();
    const isRenamed = ({ json }: HttpReply): boolean =>
      json.items.some(({ bankName }: { bankName: string }) => bankName === 'Renamed');
    assert.equal(isRenamed(await first), false);
    for (const reply of await Promise.all(others)) assert.ok(isRenamed(reply));
    assert.ok(reads <= 20, `${reads} reads for 22 requests`);
  });

  test('[status.03, status.34] requests at the same time share no read with other grants or another language', async () => {
    const tokens = [manager.token];
    for (const bankId of [1003, 1004]) tokens.push(await issueToken({ grants: [{ bankId, locationId: 0 }] }));
    const askers = tokens.flatMap((token) => ['en', 'da', 'is'].map((language) => ({ token, language })));
    const read = async ({ token, language }: (typeof askers)[number]): Promise<string> => {
      const { json } = await service.call('GET', statusPath, { token, headers: { 'accept-language': language } });
      return JSON.stringify(json.items);
    };
    const alone: string[] = [];
    for (const asker of askers) alone.push(await read(asker));
    assert.equal(new Set(alone).size, askers.length);
    // Of three rounds, all but the first request of each kind wait for a read that is shared.
    const together = await Promise.all([...askers, ...askers, ...askers].map(read));
    assert.deepEqual(together, [...alone, ...alone, ...alone]);
  });

  const stepOf = (plan: readonly QueryPlanStep[], table: string): QueryPlanStep =>
    plan.find((step) => step.table === table) ?? assert.fail(`${table} is not read`);

  test('the lookups of a whole tenant go by the index of contacts, and by that of the values of the setting', async () => {
    const isOfComputers = ({ sql: text }: Statement): boolean => /computers|held_lines/.test(text);
    const statements = (await readStatements(statusPath)).filter((each) => !isOfComputers(each));
    assert.equal(statements.length, 2);
    const plans = await Promise.all(statements.map((each) => recorder.planOf(each)));
    const [offline = [], outOfOrder = []] = statements[0]?.sql.includes('unit_settings') ? plans.toReversed() : plans;
    const told = JSON.stringify([offline, outOfOrder], undefined, 1);
    assert.equal(offline[0]?.table, 'u', told);
    assert.equal(offline[0].index, 'units_by_contact', told);
    assert.equal(outOfOrder[0]?.table, 's', told);
    assert.equal(outOfOrder[0].index, 'unit_settings_by_value', told);
    for (const [plan, tables] of [
      [offline, ['l', 'b']],
      [outOfOrder, ['u', 'l', 'b']],
    ] as const)
      for (const table of tables) assert.equal(stepOf(plan, table).index, 'PRIMARY', told);
  });

  test('the lookups of computers read the lines and records that wait by their states, and units and places by their keys', async () => {
    const statements = await recorder.statementsOf(statusPath, manager.token);
    const planFor = async (table: string): Promise<QueryPlanStep[]> => {
      const statement = statements.find(({ sql: text }) => text.includes(table)) ?? assert.fail(`${table} is not read`);
      return recorder.planOf(statement);
    };
    const [held, stale, clock] = [
      await planFor('held_lines'),
      await planFor('device_sync'),
      await recorder.planOf(statements.find(({ sql: text }) => text.includes('clock_offset_ms'))!),
    ];
    const told = JSON.stringify([held, stale, clock], undefined, 1);
    const waiting = [...held.filter(isLine), ...stale.filter(({ table }) => table === 'q')];
    assert.equal(waiting.length, 4, told);
    for (const { table, index } of waiting)
      assert.equal(index, table === 'q' ? 'device_sync_by_state' : 'held_lines_by_state', told);
    for (const { table, index } of [...held, ...stale, ...clock].filter((step) => step.table === 'u'))
      assert.notEqual(index, undefined, `${table} ${told}`);
  });

  /** The same name stands for the lines that were read. */
  const isLine = ({ table, planText }: QueryPlanStep): boolean => table === 'h' && planText.includes('held_lines');
});
