// Each line is stored exactly once, whatever is repeated, at the same time, by several services, and whatever fails.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { verifyInflow } from '../../src/features/inflow/commands/verify-inflow.ts';
import { lockAndClosePeriod } from '../../src/features/account/queries/ledger.ts';
import { grantBank } from '../support/granted-banks.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, formatBody, tagOf, type TestEquipment } from '../support/streams.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';

serviceSuite({ now: testNow, replicas: 2 }, (suite) => {
  const { service, replicaFor } = suite;
  const iso = (ms: number) => new Date(Date.UTC(2000, 0, 1) + testNow + ms).toISOString();

  async function assertSound({ bankId }: TestEquipment): Promise<void> {
    const { differences } = await service.read('sund', (db) => verifyInflow(db, grantBank(bankId)));
    assert.deepEqual(differences, []);
    await verifyBankLedger(service, bankId);
  }

  const sendTo = (at: number, { key }: TestEquipment, rawBody: string) =>
    replicaFor(at).call('POST', '/equipment/v1/streams/money', {
      token: key,
      rawBody,
      headers: { 'content-type': 'application/jsonl' },
    });

  test('the same request to two services at the same time is stored once, and answered the same', async () => {
    const equipment = await createEquipment(suite);
    const lines = Array.from({ length: 30 }, (_, at) => equipment.use(at % 7 === 3 ? { key: 'DEADBEEF' } : {}));
    const body = formatBody(lines, { sentAt: iso(0) });
    const replies = await Promise.all([0, 1].map((at) => sendTo(at, equipment, body)));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
    const [one, other] = replies.map(({ json }) => json);
    assert.deepEqual([one.through, one.held], [other.through, other.held]);
    assert.equal(one.repeated + other.repeated, 30);
    assert.equal((await equipment.postings()).length, 26);
    await assertSound(equipment);
  });

  test('any parts of a stream, in any order and as often as wanted, store each line once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 6 })), { maxLength: 8 }),
        async (parts) => {
          const equipment = await createEquipment(suite);
          const lines = Array.from({ length: 20 }, (_, at) =>
            equipment.use(at % 5 === 0 ? { key: 'DEADBEEF' } : { ref: `A-${at}` }),
          );
          let through = 0;
          for (const [from, count] of parts) {
            const part = lines.slice(from, from + count);
            const { status, json } = await equipment.send('money', part, { first: from + 1 });
            if (from > through) assert.deepEqual([status, json.expected], [409, through + 1]);
            else {
              const repeated = Math.min(part.length, through - from);
              through = Math.max(through, from + part.length);
              assert.deepEqual([status, json.through, json.repeated], [200, through, repeated]);
              const held = part.flatMap((_, at) => ((from + at) % 5 === 0 ? [from + at + 1] : []));
              assert.deepEqual(
                json.held.map(({ n }: { n: number }) => n),
                held,
              );
            }
          }
          await assertSound(equipment);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('a transaction that fails leaves nothing behind, and the request can be repeated', async () => {
    const equipment = await createEquipment(suite);
    const take = (table: 'money_lines' | 'held_lines', name: string) =>
      service.write('sund', (db) =>
        db.schema
          .alterTable(table)
          .renameTo(name as 'money_lines')
          .execute(),
      );
    const lines = [equipment.use({ ref: 'A' }), equipment.use({ key: 'DEADBEEF' })];
    await take('held_lines', 'held_lines_away');
    const failed = await equipment.send('money', lines);
    assert.equal(failed.status, 500);
    await service.write('sund', (db) => db.schema.alterTable('held_lines_away').renameTo('held_lines').execute());
    assert.deepEqual([await equipment.postings(), (await equipment.stream()).through], [[], 0]);
    const { status, json } = await equipment.send('money', lines);
    assert.deepEqual([status, json.repeated, json.held.length], [200, 0, 1]);
    await assertSound(equipment);
  });

  test('compressed bodies are read like others', async () => {
    const equipment = await createEquipment(suite);
    for (const [index, [coding, compress]] of (
      [
        ['gzip', gzipSync],
        ['zstd', zstdCompressSync],
      ] as const
    ).entries()) {
      const body = formatBody([equipment.use()], { sentAt: iso(0), first: index + 1 });
      const { status, json } = await equipment.sendBody('money', compress(body), {
        headers: { 'content-encoding': coding },
      });
      assert.deepEqual([status, json.through], [200, index + 1]);
    }
  });

  test('lines from before a settlement go to the period after it', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [equipment.use({ at: iso(-2 * dayMs) })]);
    await service.write('sund', (db) =>
      lockAndClosePeriod(db, grantBank(equipment.bankId), testNow - dayMs, testNow - hourMs),
    );
    await equipment.send('money', [equipment.use({ at: iso(-2 * dayMs) })], { first: 2 });
    assert.deepEqual(
      (await equipment.postings()).map(({ period, recorded_at }) => [period, recorded_at - testNow]),
      [
        [1, -2 * dayMs],
        [2, -2 * dayMs],
      ],
    );
    await assertSound(equipment);
  });

  test('units of other computers, banks and tenants, and missing ones, are equally unknown', async () => {
    const equipment = await createEquipment(suite);
    await createEquipment(suite, { bankId: equipment.bankId, computerId: 2, isNewBank: false });
    const other = await createEquipment(suite);
    const units = [equipment.unit('2-1'), equipment.unit('9-9'), other.unit('1-1'), 'fjord-B1001-L1-U1', 'x'];
    const { json } = await equipment.send(
      'money',
      units.map((unit) => equipment.use({ unit })),
    );
    assert.deepEqual(
      json.held.map(({ code }: { code: string }) => code),
      units.map(() => 'unknown-unit'),
    );
    assert.deepEqual(
      (await equipment.heldLines()).map(({ location_id, unit_id }) => [location_id, unit_id]),
      units.map(() => [0, 0]),
    );
    assert.deepEqual(await other.postings(), []);
  });

  test('a use by a key of another bank, or by one that somebody got only later, is booked on nobody', async () => {
    const equipment = await createEquipment(suite);
    const other = await createEquipment(suite);
    const changes = [
      { key: tagOf(other.bankId) },
      { key: `Card:${tagOf(equipment.bankId)}` },
      { key: `Tag:${equipment.bankId}12345` },
      { key: tagOf(equipment.bankId), at: '1999-12-31T23:00:00Z' },
    ];
    const { json } = await equipment.send(
      'money',
      changes.map((change) => equipment.use(change)),
    );
    assert.deepEqual(
      json.held.map(({ code }: { code: string }) => code),
      changes.map(() => 'unknown-key'),
    );
    for (const column of ['enabled', 'deleted_at', 'expired_at'] as const) {
      const value = column === 'enabled' ? 0 : testNow - 1;
      const back = column === 'enabled' ? 1 : null;
      const set = (to: number | null) =>
        service.write('sund', (db) =>
          db
            .updateTable('residents')
            .set({ [column]: to })
            .where('bank_id', '=', equipment.bankId)
            .where('resident_id', '=', 1001)
            .execute(),
        );
      await set(value);
      const { through } = await equipment.stream();
      const reply = await equipment.send('money', [equipment.use()], { first: through + 1 });
      assert.equal(reply.json.held[0]?.code, 'unknown-key', column);
      await set(back);
    }
    assert.deepEqual(await equipment.postings(), []);
  });

  test('keys are written as managers write them', async () => {
    const equipment = await createEquipment(suite);
    const tag = tagOf(equipment.bankId);
    const { json } = await equipment.send('money', [
      equipment.use({ key: tag.toLowerCase() }),
      equipment.use({ key: `Tag:${tag}` }),
      equipment.use({ key: `Card:${equipment.bankId}12345` }),
    ]);
    assert.deepEqual(json.held, []);
    assert.deepEqual(
      (await equipment.postings()).map(({ user_id }) => user_id),
      [1001, 1001, 1002],
    );
  });

  test('the token of a manager is no key of a computer', async () => {
    const equipment = await createEquipment(suite);
    const { status } = await equipment.sendBody('money', formatBody([equipment.use()], { sentAt: iso(0) }), {
      token: suite.manager.token,
    });
    assert.equal(status, 401);
  });
});
