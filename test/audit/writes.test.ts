// Every write of every operation appends one entry, in its own transaction; a request that writes nothing appends none.
// A new operation fails here until it is added to the list.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { residentFieldNames, residentFields } from '../../src/features/residents/fields.ts';
import { recordOf } from '../../src/lib/values/fields.ts';
import { postingDraft } from '../support/account-reads.ts';
import { createAllWrites, unrecordedWrites, type RecordedWrite } from '../support/all-writes.ts';
import { addressWrites } from '../support/address-writes.ts';
import { assertSoundAudit, recordAudit } from '../support/audit.ts';
import { createBookableBank, executeCommand, insertBooking } from '../support/bookings.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { plainPasswords } from '../support/password-hashing.ts';
import { createUser, executeUserCommand } from '../support/resident-calls.ts';
import { reverseEntry } from '../support/reversal.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callSetUnitSetting, unitIds, unitKid } from '../support/unit-settings.ts';
import { createGeocodingProvider } from '../addresses/support/geocoding-provider.ts';

const provider = createGeocodingProvider();

serviceSuite({ now: testNow, geocoder: provider.geocoder }, (suite) => {
  const { service, manager, clock, nextBankId, onStop } = suite;
  const password = 'plain and long enough';
  /** The same application with a cheap password hash. */
  let quick: TestInstance;
  before(async () => {
    await provider.start();
    onStop(() => provider.stop());
    quick = await startInstance(service, { passwordHasher: plainPasswords });
    onStop(quick.stop);
  });

  const writes = createAllWrites({
    service,
    target: { call: (...args) => quick.call(...args) },
    actor: manager,
    nextId: nextBankId,
  });

  test('every operation that is not a GET is among those tried here', () => {
    const { operations } = createOperations(service.dependencies);
    const ids = operations
      .filter(({ method, id }) => method !== 'GET' && !unrecordedWrites.includes(id))
      .map(({ id }) => id);
    assert.deepEqual(Object.keys(writes).toSorted(), ids.toSorted());
    assert.ok(Object.keys(addressWrites).every((id) => id in writes));
  });

  const prepare = async (operationId: string): Promise<RecordedWrite> => {
    const bankId = nextBankId();
    await createBookableBank(service, { bankId });
    return writes[operationId]!(bankId);
  };

  for (const operationId of Object.keys(writes))
    test(`${operationId} appends one entry: who, from where, by which request, what, and how it changed`, async () => {
      const { send, chain = 0, object, actor, ...change } = await prepare(operationId);
      const requestId = crypto.randomUUID();
      const { result, entries } = await recordAudit(service, () =>
        send({ token: manager.token, headers: { 'x-request-id': requestId } }),
      );
      assert.ok(result.status >= 200 && result.status < 300, result.text);
      assert.equal(entries.length, 1);
      const [{ sequence: _sequence, link: _link, ...entry } = assert.fail()] = entries;
      const { old_values, new_values, ...rest } = entry;
      const isOfOther = ['LoginManager', 'LogoutManager', 'ChangeMyManagerPassword'].includes(operationId);
      assert.deepEqual(rest, {
        chain,
        at: testNow,
        actor_kind: actor?.kind ?? 'manager',
        actor_id: actor?.id ?? (isOfOther ? Number(object.split('-M')[1]) : manager.managerId),
        address: '127.0.0.1',
        operation: operationId,
        object,
        request_id: requestId,
        environment: 'production',
      });
      assert.deepEqual(
        [old_values, new_values].map((text) => (text === null ? null : JSON.parse(text))),
        [change.before, change.after],
      );
      await assertSoundAudit(service);
    });

  for (const operationId of Object.keys(writes))
    test(`${operationId} is 503 clock-behind and stores nothing while the clock is set back`, async () => {
      const { send } = await prepare(operationId);
      assert.equal((await (await prepare('SetUnitSetting')).send(manager)).status, 200);
      clock.now = testNow - 3000;
      const { result: refused, entries } = await recordAudit(service, () => send(manager));
      assert.deepEqual([refused.status, refused.json.code, entries], [503, 'clock-behind', []], refused.text);
      assert.equal(refused.headers['retry-after'], '3');
      clock.now = testNow - 1000;
      const { result, entries: recorded } = await recordAudit(service, () => send(manager));
      assert.ok(result.status >= 200 && result.status < 300, result.text);
      // Replicas’ clocks can differ a little: the entry is not listed before those that are older.
      assert.deepEqual(
        recorded.map(({ at }) => at),
        [testNow],
      );
    });

  test('a repeated request appends no second entry; beta is told from production', async () => {
    const { operations } = createOperations(service.dependencies);
    const keyed = operations.filter(({ acceptsIdempotencyKey }) => acceptsIdempotencyKey === true);
    assert.ok(keyed.length > 5);
    const host = 'beta.api.sund.localhost';
    const { token } = await createToken(service, { environment: 'beta' });
    for (const { id } of keyed) {
      const { send } = await prepare(id);
      const options = { token, host, headers: { 'idempotency-key': crypto.randomUUID() } };
      const { entries } = await recordAudit(service, async () => {
        for (const isRepeated of [false, true]) assert.equal(isReplay(await send(options)), isRepeated, id);
      });
      assert.deepEqual(
        entries.map(({ operation, environment }) => [operation, environment]),
        [[id, 'beta']],
      );
    }
  });

  test('requests that change nothing append nothing: dry runs, unchanged values, refusals, failed logins', async () => {
    const bankId = nextBankId();
    await createBookableBank(service, { bankId });
    const draft = postingDraft(testNow, { internalTag: 1 });
    const posting = await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(bankId), [draft]));
    const event = await insertBooking(service, {}, bankId);
    const options = { ...manager, bankId };
    const spinSpeed = (value: unknown, expectedRevision: string): Promise<HttpReply> =>
      callSetUnitSetting(service, unitIds(bankId), 'MaxSpinSpeed', value, { ...manager, expectedRevision });
    const sends: readonly (readonly [status: number, send: () => Promise<HttpReply>])[] = [
      [200, () => reverseEntry(service, posting, { ...options, query: '?dryRun=true' })],
      [200, () => spinSpeed(1400, '0')],
      [409, () => spinSpeed(1200, '99')],
      [422, () => executeUserCommand(service, 1001, { command: 'Enable' }, options)],
      [200, () => executeUserCommand(service, 1001, { command: 'SetName', value: 'Demo Resident 1001' }, options)],
      [422, () => executeCommand(service, event, 'Restore', options)],
      [409, () => executeUserCommand(service, 1001, { command: 'Disable', expectedRevision: '9' }, options)],
      [401, () => quick.call('POST', '/api/v1/session/login', { body: { userName: 'nobody', password } })],
    ];
    for (const [status, send] of sends) {
      const { result, entries } = await recordAudit(service, send);
      assert.equal(result.status, status, result.text);
      assert.deepEqual(entries, [], result.text);
    }
  });

  test('each transaction of a write with a lookup has its entry', async () => {
    const bankId = nextBankId();
    await createBookableBank(service, { bankId });
    const address = `/api/v1/addresses/${unitKid(unitIds(bankId))}`;
    const { revision: expectedRevision } = (await service.call('GET', address, manager)).json;
    const body = { address: 'Elm Lane 1', zip: '2100', expectedRevision };
    const { entries } = await recordAudit(service, () => service.call('PUT', address, { ...manager, body }));
    assert.deepEqual(
      entries.map(({ new_values }) => Object.keys(JSON.parse(String(new_values)))),
      [
        ['address', 'zip', 'coordinateProvenance'],
        ['zip', 'latitude', 'longitude', 'coordinateProvenance'],
      ],
    );
  });

  test('the log holds no personal data of a resident after any operation', async () => {
    const bankId = nextBankId();
    await createBookableBank(service, { bankId });
    const texts = {
      ...recordOf(residentFieldNames, (field) => `Secret ${field}`),
      email: 'ada.secret@example.org',
      phone: '+4520123456',
      language: 'da',
    };
    const { language: _, ...personal } = texts;
    const [key, pin, lane] = ['04AABBCC', '4711', 'Secret Lane'];
    const secrets = [...Object.values(personal), key, pin, lane];
    const options = { ...manager, bankId };
    const { entries } = await recordAudit(service, async () => {
      const created = await createUser(service, { ...texts, email: `x${texts.email}` }, options);
      assert.equal(created.status, 201, created.text);
      const commands = {
        ...Object.fromEntries(residentFieldNames.map((field) => [residentFields[field].command, texts[field]])),
        SetPin: pin,
        AddKey: key,
        RemoveKey: key,
        RenewActivation: undefined,
        Delete: undefined,
      };
      let revision = 1;
      for (const [command, value] of Object.entries(commands)) {
        const done = await executeUserCommand(
          service,
          1001,
          { command, expectedRevision: String(revision++), ...(value === undefined ? {} : { value }) },
          options,
        );
        assert.equal(done.status, 200, `${command}: ${done.text}`);
        if (command !== 'SetApartment') continue;
        const kid = `sund-B${bankId}-R1001`;
        const { revision: expectedRevision } = (await service.call('GET', `/api/v1/addresses/${kid}`, manager)).json;
        const body = { address: `${lane} 1`, zip: '2100', expectedRevision };
        assert.equal((await service.call('PUT', `/api/v1/addresses/${kid}`, { ...manager, body })).status, 200);
      }
    });
    assert.ok(entries.length >= 11, String(entries.length));
    // Hashes and ids are random, and may have any digits.
    const stored = JSON.stringify(entries.map(({ link: _link, request_id: _id, ...entry }) => entry));
    for (const secret of [...secrets, '55123457']) assert.ok(!stored.includes(secret), secret);
  });
});
