// GetComputers, GetComputer, CreateComputer, RenewComputerCode and RevokeComputer: what managers see and change, and who
// is refused.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { hashEnrolmentCode } from '../../src/features/computers/rules/enrolment-code.ts';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { recordAudit } from '../support/audit.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import {
  computerKid,
  computerPath,
  computersPath,
  createComputer,
  enrol,
  enrolTestComputer,
  renewCode,
  revokeComputer,
  unitKidsOf,
  type NewComputerOptions,
} from '../support/computers.ts';
import { insertTestBank, type ManagerOptions } from '../support/factories.ts';
import { countOutcomes, runInParallel } from '../support/replicas.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, minuteMs, testNow } from '../support/times.ts';
import { callSetUnitSetting } from '../support/unit-settings.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

serviceSuite({ now: testNow, replicas: 2 }, ({ service, replicaFor, manager, issueToken, nextBankId, clock }) => {
  before(() => service.write('sund', (db) => insertTestBank(db)));
  /** A bank of three locations with three units each. */
  async function createBank(): Promise<number> {
    const bankId = nextBankId();
    const places = { 1: [1, 2, 3], 2: [1, 2, 3], 3: [1, 2, 3] };
    await service.write('sund', (db) => insertTestBank(db, { bankId, places }));
    return bankId;
  }
  const create = (options: NewComputerOptions): Promise<HttpReply> =>
    createComputer(service, { ...manager, ...options });
  const get = (kid: string, options: CallOptions = manager): Promise<HttpReply> =>
    service.call('GET', computerPath(kid), options);
  const list = (bankId: number, query = '', options: CallOptions = manager): Promise<HttpReply> =>
    service.call('GET', `${computersPath(bankId)}?${query}`, options);
  const readUnits = (bankId: number) =>
    service.read('sund', (db) =>
      db
        .selectFrom('units')
        .select(['location_id', 'unit_id', 'computer_name'])
        .where('bank_id', '=', bankId)
        .where('computer_name', 'is not', null)
        .orderBy('location_id')
        .orderBy('unit_id')
        .execute(),
    );
  const setComputerName = (bankId: number, unitId: number, name: string) =>
    service.write('sund', (db) =>
      db
        .updateTable('units')
        .set({ computer_name: name })
        .where('bank_id', '=', bankId)
        .where('location_id', '=', 3)
        .where('unit_id', '=', unitId)
        .execute(),
    );

  test('[computers.01] a new computer waits for its code, which is answered once and stored only as a hash', async () => {
    const bankId = await createBank();
    const { result: reply, entries } = await recordAudit(service, () => create({ bankId, units: ['2-1', '1-2'] }));
    assert.equal(reply.status, 201, reply.text);
    const { computer, enrolmentCode, expiresUtc } = reply.json;
    assert.deepEqual(computer, {
      kid: computerKid(1, bankId),
      name: 'laundry-1',
      units: unitKidsOf(['1-2', '2-1'], bankId),
      state: 'waiting',
      software: '',
      lastContactUtc: null,
      clockOffsetMs: null,
      buffered: 0,
      streams: [
        { stream: 'money', epoch: '', through: 0, held: 0 },
        { stream: 'samples', epoch: '', through: 0, held: 0 },
      ],
      desired: { version: 0, sent: 0, acknowledged: 0 },
      digestsEqual: null,
      lastError: null,
      revision: '1',
    });
    assert.equal(reply.headers.location, computerPath(computer.kid));
    assert.equal(Date.parse(expiresUtc), Date.UTC(2000, 0, 1) + testNow + dayMs);
    assert.deepEqual((await get(computer.kid)).json, computer);
    assert.deepEqual(
      (await readUnits(bankId)).map(({ computer_name }) => computer_name),
      ['laundry-1', 'laundry-1'],
    );
    const row = await service.read('sund', (db) =>
      db.selectFrom('computers').selectAll().where('bank_id', '=', bankId).executeTakeFirstOrThrow(),
    );
    assert.equal(row.code_hash, hashEnrolmentCode(enrolmentCode));
    assert.ok(!JSON.stringify(row).includes(enrolmentCode));
    assert.deepEqual(
      entries.map(({ chain, operation, object, actor_kind, old_values, new_values }) => [
        [chain, operation, object, actor_kind, old_values],
        JSON.parse(new_values ?? 'null') as unknown,
      ]),
      [
        [
          [bankId, 'CreateComputer', computer.kid, 'manager', null],
          {
            name: 'laundry-1',
            unitKids: unitKidsOf(['2-1', '1-2'], bankId),
            enrolmentCode: 'changed',
            enrolmentEnvironment: 'production',
          },
        ],
      ],
    );
  });

  test('[computers.10] a name is unique in a bank, and each unit has one computer', async () => {
    const [bankId, otherId] = [await createBank(), await createBank()];
    assert.equal((await create({ bankId, units: ['1-1'] })).status, 201);
    const sameName = await create({ bankId, units: ['1-2'] });
    assert.deepEqual([sameName.status, sameName.json.code], [409, 'computer-name-taken']);
    const sameUnit = await create({ bankId, name: 'laundry-2', units: ['1-2', '1-1'] });
    assert.deepEqual([sameUnit.status, sameUnit.json.code], [409, 'unit-has-computer']);
    assert.match(sameUnit.json.detail, new RegExp(`^sund-B${bankId}-L1-U1 `));
    assert.equal((await readUnits(bankId)).length, 1);
    const elsewhere = await create({ bankId: otherId, units: ['1-1'] });
    assert.deepEqual([elsewhere.status, elsewhere.json.computer.kid], [201, computerKid(1, otherId)]);
  });

  test('units get their computers while their settings are written', async () => {
    const bankId = await createBank();
    const units = [1, 2, 3].flatMap((locationId) => [1, 2, 3].map((unitId) => [locationId, unitId] as const));
    const replies = await runInParallel(2 * units.length, (at) => {
      const [locationId, unitId] = units[at % units.length]!;
      const ids = { bankId, locationId, unitId };
      return at < units.length
        ? callSetUnitSetting(replicaFor(at), ids, 'Note', 'A note', { ...manager, expectedRevision: '0' })
        : createComputer(replicaFor(at), { ...manager, bankId, name: `at ${at}`, units: [`${locationId}-${unitId}`] });
    });
    assert.deepEqual(countOutcomes(replies), { '200': units.length, '201 undefined': units.length });
    assert.equal((await readUnits(bankId)).length, units.length);
  });

  test('[computers.10] a computer has exactly its units, whatever name units without a computer have', async () => {
    const bankId = await createBank();
    await setComputerName(bankId, 1, 'laundry-1');
    await setComputerName(bankId, 2, 'gateway-9');
    const { json } = await create({ bankId, units: ['1-1', '3-2'] });
    assert.deepEqual(json.computer.units, unitKidsOf(['1-1', '3-2'], bankId));
    assert.deepEqual(
      (await readUnits(bankId)).map(({ location_id, unit_id }) => `${location_id}-${unit_id}`),
      ['1-1', '3-2'],
    );
  });

  test('[computers.10] the units of a revoked computer can be those of a new one, and its name is not free', async () => {
    const bankId = await createBank();
    const { json } = await create({ bankId, units: ['1-1', '1-2'] });
    assert.equal((await revokeComputer(service, json.computer.kid, manager)).status, 200);
    assert.equal((await create({ bankId, units: ['1-1'] })).json.code, 'computer-name-taken');
    const next = await create({ bankId, name: 'laundry-2', units: ['1-1'] });
    assert.equal(next.status, 201, next.text);
    const items: { units: string[]; state: string }[] = (await list(bankId)).json.items;
    assert.deepEqual(
      items.map(({ units, state }) => [state, units]),
      [
        ['revoked', unitKidsOf(['1-2'], bankId)],
        ['waiting', unitKidsOf(['1-1'], bankId)],
      ],
    );
  });

  test('[computers.10] of names and units at the same time, each is given once', async () => {
    const bankId = await createBank();
    const sameName = await runInParallel(6, (at) =>
      createComputer(replicaFor(at), { ...manager, bankId, units: [`${1 + (at % 3)}-${1 + Math.floor(at / 3)}`] }),
    );
    assert.deepEqual(countOutcomes(sameName), { '201 undefined': 1, '409 computer-name-taken': 5 });
    const sameUnit = await runInParallel(6, (at) =>
      createComputer(replicaFor(at), { ...manager, bankId, name: `other-${at}`, units: ['3-3'] }),
    );
    assert.deepEqual(countOutcomes(sameUnit), { '201 undefined': 1, '409 unit-has-computer': 5 });
    const kids: string[] = (await list(bankId)).json.items.map(({ kid }: { kid: string }) => kid);
    assert.equal(new Set(kids).size, 2);
  });

  test('a name is plain text of 1 to 64 characters, and the units are at most 200 of the bank, each once', async () => {
    const bankId = await createBank();
    const wrong: [body: object, path: string][] = [
      ...['', ' ', 'a\u0000b', 'a\nb', 'x'.repeat(65), 5, null].map((name): [object, string] => [
        { name },
        'body.name',
      ]),
      ...[['1-1', '1-1'], null, 5].map((units): [object, string] => [
        { unitKids: Array.isArray(units) ? unitKidsOf(units, bankId) : units },
        'body.unitKids',
      ]),
      [{ unitKids: unitKidsOf(['1-9'], bankId) }, 'body.unitKids.0'],
      [{ unitKids: [...unitKidsOf(['1-1'], bankId), ...unitKidsOf(['1-1'], 1001)] }, 'body.unitKids.1'],
      [{ unitKids: ['fjord-B1001-L1-U1'] }, 'body.unitKids.0'],
      [{ unitKids: [`sund-B${bankId}-L1`] }, 'body.unitKids.0'],
      [{ more: 1 }, 'body.more'],
    ];
    for (const [part, path] of wrong) {
      const body = { name: 'laundry-1', unitKids: unitKidsOf(['1-1'], bankId), ...part };
      const { status, json } = await service.call('POST', computersPath(bankId), { ...manager, body });
      assert.deepEqual(
        [status, json.code, json.errors?.[0]?.path],
        [400, 'invalid-request', path],
        JSON.stringify(part),
      );
    }
    assert.deepEqual((await list(bankId)).json.items, []);
    const tooMany = Array.from({ length: 201 }, (_, at) => `1-${at + 1}`);
    assert.equal((await create({ bankId, units: tooMany })).json.errors[0].path, 'body.unitKids');
    const none = await create({ bankId, name: 'none', units: [] });
    assert.deepEqual([none.status, none.json.computer?.units], [201, []]);
    const longest = await create({ bankId, name: ` ${'ø'.repeat(64)} ` });
    assert.deepEqual([longest.status, longest.json.computer?.name], [201, 'ø'.repeat(64)]);
  });

  test('[computers.11] a new code replaces the one before, and the revision is compared', async () => {
    const bankId = await createBank();
    const { json: made } = await create({ bankId });
    const { kid } = made.computer;
    const renewed = await renewCode(service, kid, manager);
    assert.equal(renewed.status, 200, renewed.text);
    assert.notEqual(renewed.json.enrolmentCode, made.enrolmentCode);
    assert.deepEqual([renewed.json.computer.revision, renewed.json.computer.state], ['2', 'waiting']);
    for (const expectedRevision of ['1', '3', '', '02']) {
      const stale = await renewCode(service, kid, { ...manager, expectedRevision });
      assert.deepEqual([stale.status, stale.json.code], [409, 'computer-conflict'], expectedRevision);
      const staleRevocation = await revokeComputer(service, kid, { ...manager, expectedRevision });
      assert.deepEqual([staleRevocation.status, staleRevocation.json.code], [409, 'computer-conflict']);
    }
    assert.equal((await enrol(service, made.enrolmentCode)).status, 403);
    const enrolled = await enrol(service, renewed.json.enrolmentCode, { software: '2.0' });
    assert.equal(enrolled.status, 200, enrolled.text);
    const { json } = await get(kid);
    assert.deepEqual([json.state, json.software, json.revision], ['enrolled', '2.0', '3']);
    const ifMatch = await service.call('POST', computerPath(kid, '/revocation'), {
      ...manager,
      body: {},
      headers: { 'if-match': '"2"' },
    });
    assert.deepEqual([ifMatch.status, ifMatch.json.code], [412, 'precondition-failed']);
  });

  test('[computers.08] a revoked computer stays revoked: it gets no code, and revoking it again changes nothing', async () => {
    const bankId = await createBank();
    const { kid } = await enrolTestComputer(service, { ...manager, bankId });
    const { result, entries } = await recordAudit(service, () =>
      revokeComputer(service, kid, { ...manager, expectedRevision: '2' }),
    );
    assert.deepEqual([result.status, result.json.state, result.json.revision], [200, 'revoked', '3']);
    assert.deepEqual(
      entries.map(({ operation, object, old_values, new_values }) => [operation, object, old_values, new_values]),
      [['RevokeComputer', kid, '{"revoked":false}', '{"revoked":true}']],
    );
    const again = await recordAudit(service, () => revokeComputer(service, kid, { ...manager, expectedRevision: '3' }));
    assert.deepEqual([again.result.status, again.result.json, again.entries], [200, result.json, []]);
    const code = await renewCode(service, kid, { ...manager, expectedRevision: '3' });
    assert.deepEqual([code.status, code.json.code], [409, 'computer-revoked']);
    assert.deepEqual(
      await service.read('sund', (db) =>
        db.selectFrom('computer_keys').selectAll().where('bank_id', '=', bankId).execute(),
      ),
      [],
    );
  });

  test('[computers.14] the list shows what computers last said, and how many lines are held', async () => {
    const bankId = await createBank();
    const { kid } = await enrolTestComputer(service, { ...manager, bankId, software: '2.4.1' });
    await service.write('sund', async (db) => {
      const computer = { bank_id: bankId, computer_id: 1 };
      await db
        .updateTable('computer_states')
        .set({ clock_offset_ms: -2500, buffered: 7, sent_version: 11, acknowledged_version: 9, digests_equal: 0 })
        .set({ last_error: 'E12', last_contact_at: testNow - 1000 })
        .where('bank_id', '=', bankId)
        .execute();
      await db
        .updateTable('computer_streams')
        .set({ epoch: '9f2c41d0', epoch_number: 1, through: 12 })
        .where('bank_id', '=', bankId)
        .where('stream', '=', 'money')
        .execute();
      await db.updateTable('device_sync_heads').set({ queued: 12 }).where('bank_id', '=', bankId).execute();
      for (const [heldId, state] of ['held', 'held', 'resolved', 'discarded'].entries())
        await db
          .insertInto('held_lines')
          .values({
            ...computer,
            held_id: 1 + heldId,
            stream: 'money',
            epoch_number: 1,
            n: 1 + heldId,
            code: 'unknown-key',
            received_at: testNow,
            clock_offset_ms: null,
            line: '{}',
            location_id: 0,
            unit_id: 0,
            state,
            posting_id: null,
            resolved_at: null,
            resolved_by: null,
            reason: null,
            revision: 1,
          })
          .execute();
    });
    const { json } = await list(bankId);
    assert.deepEqual(json.items, [
      {
        kid,
        name: 'laundry-1',
        units: unitKidsOf(['1-1'], bankId),
        state: 'enrolled',
        software: '2.4.1',
        lastContactUtc: '2026-06-15T09:29:59.000Z',
        clockOffsetMs: -2500,
        buffered: 7,
        streams: [
          { stream: 'money', epoch: '9f2c41d0', through: 12, held: 2 },
          { stream: 'samples', epoch: '', through: 0, held: 0 },
        ],
        desired: { version: 12, sent: 11, acknowledged: 9 },
        digestsEqual: false,
        lastError: 'E12',
        revision: '2',
      },
    ]);
  });

  test('the list is searched by names, sorted and paged', async () => {
    const bankId = await createBank();
    for (const [at, name] of ['Birch 10', 'alder', 'Birch 2'].entries())
      assert.equal((await create({ bankId, name, units: [`1-${at + 1}`] })).status, 201);
    const enrolById = async (computerId: number): Promise<void> => {
      const { json } = await renewCode(service, computerKid(computerId, bankId), manager);
      assert.equal((await enrol(service, json.enrolmentCode)).status, 200);
    };
    const namesOf = async (query: string): Promise<string[]> =>
      (await list(bankId, query)).json.items.map(({ name }: { name: string }) => name);
    assert.deepEqual(await namesOf(''), ['Birch 10', 'alder', 'Birch 2']);
    assert.deepEqual(await namesOf('direction=desc'), ['Birch 2', 'alder', 'Birch 10']);
    assert.deepEqual(await namesOf('sort=name'), ['alder', 'Birch 2', 'Birch 10']);
    assert.deepEqual(await namesOf('filter=BIRCH&sort=name&direction=desc'), ['Birch 10', 'Birch 2']);
    clock.now += minuteMs;
    await enrolById(2);
    clock.now += minuteMs;
    await enrolById(1);
    assert.deepEqual(await namesOf('sort=lastContact'), ['Birch 2', 'alder', 'Birch 10']);
    const first = await list(bankId, 'limit=2');
    assert.deepEqual([first.json.items.length, first.json.hasMore], [2, true]);
    assert.deepEqual(await namesOf(`limit=2&cursor=${first.json.nextCursor}`), ['Birch 2']);
  });

  test('[computers.12] a grant of locations shows computers with units there, with those units alone, and changes none', async () => {
    const bankId = await createBank();
    await create({ bankId, name: 'both', units: ['1-1', '2-1'] });
    await create({ bankId, name: 'hidden', units: ['2-2', '3-1'] });
    const token = await issueToken({ grants: [{ bankId, locationId: 1 }] });
    for (const query of ['', 'sort=name', 'filter=o']) {
      const { json } = await list(bankId, query, { token });
      assert.deepEqual(
        json.items.map(({ name, units }: { name: string; units: string[] }) => [name, units]),
        [['both', unitKidsOf(['1-1'], bankId)]],
        query,
      );
    }
    assert.equal((await get(computerKid(1, bankId), { token })).status, 200);
    const missing = await get(computerKid(9, bankId), { token });
    const hidden = await get(computerKid(2, bankId), { token });
    assert.deepEqual([hidden.status, hidden.json.code], [404, 'not-found']);
    const varying = { requestId: '', traceId: '', instance: '' };
    assert.deepEqual({ ...hidden.json, ...varying }, { ...missing.json, ...varying });
    for (const refused of [
      await createComputer(service, { token, bankId, name: 'new', units: ['1-2'] }),
      await renewCode(service, computerKid(1, bankId), { token }),
      await revokeComputer(service, computerKid(1, bankId), { token }),
    ])
      assert.deepEqual([refused.status, refused.json.reason], [403, 'too-narrow']);
  });

  test('[computers.12] without the bank, the computer or the tenant there is nothing', async () => {
    const [bankId, otherId] = [await createBank(), await createBank()];
    await create({ bankId });
    const other = await issueToken({ grants: [{ bankId: otherId, locationId: 0 }] });
    const kid = computerKid(1, bankId);
    for (const [token, asked] of [
      [other, kid],
      [manager.token, computerKid(2, bankId)],
      [manager.token, computerKid(1, 1999)],
    ] as const)
      for (const reply of [
        await get(asked, { token }),
        await renewCode(service, asked, { token }),
        await revokeComputer(service, asked, { token }),
      ])
        assert.deepEqual([reply.status, reply.json.code], [404, 'not-found'], asked);
    for (const reply of [
      await list(bankId, '', { token: other }),
      await createComputer(service, { token: other, bankId }),
      await list(1999),
      await create({ bankId: 1999 }),
    ])
      assert.deepEqual([reply.status, reply.json.code], [404, 'not-found']);
    for (const foreign of ['fjord-B1001-C1', 'sund-B1001-C0', 'sund-B1001', 'x'])
      assert.equal((await get(foreign)).json.code, 'invalid-kid', foreign);
    await service.write('sund', (db) =>
      db.updateTable('banks').set({ deleted_at: testNow }).where('bank_id', '=', bankId).execute(),
    );
    assert.equal((await get(kid)).status, 404);
    assert.equal((await list(bankId)).status, 404);
  });

  test('[computers.13] Tab, permissions and grant are each needed', async () => {
    const bankId = await createBank();
    await create({ bankId });
    const kid = computerKid(1, bankId);
    const reads = [(options: CallOptions) => list(bankId, '', options), (options: CallOptions) => get(kid, options)];
    const creates = [
      (options: CallOptions) => createComputer(service, { ...options, bankId, name: 'x', units: ['1-2'] }),
    ];
    const writes = [
      (options: CallOptions) => renewCode(service, kid, options),
      (options: CallOptions) => revokeComputer(service, kid, options),
    ];
    const without = (permission: string): ManagerOptions => ({
      permissions: permissions.filter((each) => each !== permission),
    });
    const refused: [ManagerOptions, string, ((options: CallOptions) => Promise<HttpReply>)[]][] = [
      [{ tabs: tabs.filter((tab) => tab !== 'Services1') }, 'missing-tab', [...reads, ...creates, ...writes]],
      [without('Service.Read'), 'missing-service-read', [...reads, ...creates, ...writes]],
      [without('Unit.Read'), 'missing-unit-read', [...reads, ...creates, ...writes]],
      [without('Service.Create'), 'missing-service-create', creates],
      [without('Service.Write'), 'missing-service-write', writes],
      [without('Unit.Write'), 'missing-unit-write', [...creates, ...writes]],
    ];
    for (const [options, reason, calls] of refused) {
      const token = await issueToken(options);
      for (const call of calls) {
        const { status, json } = await call({ token });
        assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', reason]);
      }
    }
    assert.equal((await get(kid)).json.revision, '1');
  });

  test('without storage a read and a write are 503', async () => {
    const bankId = await createBank();
    for (const call of [() => list(bankId), () => create({ bankId })]) {
      const { status, json } = await callWithoutStorage(service, call, 'banks');
      assert.deepEqual([status, json.code], [503, 'storage-unavailable']);
    }
  });
});
