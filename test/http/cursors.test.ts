// Cursors of lists: every page after the first has the rows that follow, even if rows before it are deleted or added.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { insertResidents } from '../../src/features/residents/queries/insert-residents.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { createBookableBank, insertBooking } from '../support/bookings.ts';
import type { HttpReply } from '../support/call.ts';
import { insertHeldLines } from '../support/held-lines.ts';
import { planFile } from '../support/imports.ts';
import { insertTestComputer } from '../support/computers.ts';
import { insertTestInstaller } from '../support/installers.ts';
import { createToken, insertTestBank } from '../support/factories.ts';
import { exampleTargetOf } from '../support/operation-authorization.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, testNow } from '../support/times.ts';
import { callSetUnitSetting, unitIds, unitPath } from '../support/unit-settings.ts';

const names = ['Alder', 'alder', 'Ålder', 'Birch 2', 'Birch 10', ''];
const span = 'from=2026-06-01&through=2026-06-30';

serviceSuite({ tenants: ['sund', 'fjord'], now: testNow }, ({ service, manager }) => {
  let lists: Operation[];
  before(async () => {
    await createBookableBank(service, { residents: [1001, 1002, 1003] });
    await service.write('sund', async (db) => {
      for (let bankId = 1002; bankId < 1009; bankId += 1)
        await insertTestBank(db, { bankId, name: names[bankId % names.length] ?? '', places: {} });
      await db.updateTable('locations').set({ name: 'Same' }).where('bank_id', '=', 1001).execute();
      const installers = Array.from({ length: 23 }, (_, at) => ({
        installerId: 2001 + at,
        name: names[at % names.length] ?? '',
        lastActivityAt: at % 3 === 0 ? null : testNow - (at % 4) * hourMs,
      }));
      await insertTestInstaller(db, ...installers);
      const residents = Array.from({ length: 23 }, (_, at) => ({
        bank_id: 1001,
        resident_id: 1101 + at,
        location_id: 1,
        name: names[at % names.length] ?? '',
        apartment: String(at % 5),
        language: 'en',
      }));
      await insertResidents(db, 1001, residents);
    });
    for (let at = 0; at < 8; at += 1)
      await service.write('sund', (db) =>
        insertTestComputer(db, {
          computerId: 1 + at,
          name: `${names[at % names.length]} ${at}`,
          units: [],
          now: testNow,
        }),
      );
    await service.write('sund', (db) => insertHeldLines(db, { count: 9 }));
    for (let at = 0; at < 8; at += 1) await createToken(service, { name: names[at % names.length] ?? '' });
    for (let at = 0; at < 17; at += 1)
      await insertBooking(service, {
        startAt: testNow + Math.floor(at / 2) * 3 * hourMs,
        unitId: 1 + (at % 2),
        residentId: 1001 + (at % 3),
      });
    let expectedRevision = '0';
    for (let at = 0; at < 9; at += 1) {
      const options = { ...manager, expectedRevision };
      const { status, json } = await callSetUnitSetting(service, unitIds(), 'Note', `Note ${at}`, options);
      assert.equal(status, 200);
      expectedRevision = json.revision;
    }
    for (let at = 0; at < 9; at += 1) {
      const body = { name: 'Restart' };
      assert.equal((await service.call('POST', unitPath(unitIds(), '/commands'), { ...manager, body })).status, 201);
    }
    for (let at = 0; at < 9; at += 1)
      await planFile(service, `key;name\r\nt${at};Anna Demo\r\n`, { ...manager, kind: 'residents', bankId: 1001 });
    lists = createOperations(service.dependencies).operations.filter(
      ({ query }) => query !== undefined && ['cursor', 'offset', 'limit'].every((name) => name in query.properties),
    );
  });

  const get = (target: string): Promise<HttpReply> => service.call('GET', target, manager);
  const targetOf = (operation: Operation, query: string): string => {
    const setting = exampleTargetOf(operation).replace(/settings\/[^/]+\/history/, 'settings/Note/history');
    return `${setting}?${operation.id === 'GetBankBookings' ? `${span}&` : ''}${query}`;
  };
  function queriesOf({ query }: Operation): string[] {
    const { sort } = (query?.properties ?? {}) as Record<string, { enum?: string[] } | undefined>;
    if (sort === undefined) return [''];
    assert.ok((sort.enum ?? []).length > 0);
    return (sort.enum ?? []).flatMap((each) => [`sort=${each}&direction=asc`, `sort=${each}&direction=desc`]);
  }

  async function readAll(target: string, betweenPages: () => Promise<unknown> = async () => undefined) {
    const items: { kid?: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, json, text } = await get(cursor === '' ? target : `${target}&cursor=${cursor}`);
      assert.equal(status, 200, text);
      assert.equal(json.offset, items.length, target);
      items.push(...json.items);
      cursor = json.nextCursor;
      await betweenPages();
    }
    return items;
  }

  test('[general.57] pages that follow each other by cursors are the whole list, in every order', async () => {
    assert.ok(lists.length >= 10);
    for (const operation of lists)
      for (const query of queriesOf(operation)) {
        const target = targetOf(operation, query);
        const { json, text } = await get(`${target}&limit=100`);
        if (operation.id !== 'GetBankDocuments')
          assert.ok(json.items?.length > 1, `${operation.id} needs rows here: ${text}`);
        assert.equal(json.nextCursor, null, operation.id);
        for (const limit of [1, 3]) assert.deepEqual(await readAll(`${target}&limit=${limit}`), json.items, target);
      }
  });

  test('[general.57] no row is left out or repeated when rows before are deleted between pages', async () => {
    const resident = '/api/v1/banks/sund-B1001/users?sort=name&limit=4';
    const { json } = await get('/api/v1/banks/sund-B1001/users?sort=name&limit=100');
    const all: string[] = json.items.map(({ kid }: { kid: string }) => kid);
    let deleted = 0;
    const read = await readAll(resident, async () => {
      // The first row of the list is deleted after each page.
      const id = Number(all[deleted]?.split('-R')[1]);
      deleted += 1;
      await service.write('sund', (db) =>
        db
          .updateTable('residents')
          .set({ deleted_at: 1 })
          .where('bank_id', '=', 1001)
          .where('resident_id', '=', id)
          .execute(),
      );
    });
    assert.ok(deleted > 5);
    assert.deepEqual(
      read.map(({ kid }) => kid),
      all,
    );
  });

  test('[general.57] a cursor of another tenant, operation, order, filter or path, an altered one, and one with an offset are 400', async () => {
    const users = '/api/v1/banks/sund-B1001/users';
    const { json } = await get(`${users}?sort=name&limit=2`);
    const cursor: string = json.nextCursor;
    const fjord = await createToken(service, { tenant: 'fjord' });
    await service.write('fjord', (db) => insertTestBank(db));
    const wrong = [
      `${users}?sort=kid&limit=2&cursor=${cursor}`,
      `${users}?sort=name&direction=desc&limit=2&cursor=${cursor}`,
      `${users}?sort=name&filter=a&limit=2&cursor=${cursor}`,
      `${users}?sort=name&limit=2&offset=1&cursor=${cursor}`,
      `${users}?sort=name&limit=2&cursor=${cursor}A`,
      `${users}?sort=name&limit=2&cursor=${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`,
      `${users}?sort=name&limit=2&cursor=`,
      `/api/v1/banks/sund-B1002/users?sort=name&limit=2&cursor=${cursor}`,
      `/api/v1/managers?sort=name&limit=2&cursor=${cursor}`,
      `/api/v1/audit?limit=2&cursor=${cursor}`,
    ];
    for (const target of wrong) {
      const reply = await get(target);
      assert.deepEqual([reply.status, reply.json.code], [400, 'invalid-request'], target);
    }
    const foreign = await service.call('GET', `${users.replace('sund', 'fjord')}?sort=name&limit=2&cursor=${cursor}`, {
      ...fjord,
      host: 'api.fjord.localhost',
    });
    assert.deepEqual([foreign.status, foreign.json.code], [400, 'invalid-request']);
    const right = await get(`${users}?limit=9&cursor=${cursor}&sort=name`);
    assert.equal(right.status, 200, 'the limit and the order of the parameters may change');
  });
});
