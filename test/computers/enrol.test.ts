// EnrolComputer and RenewComputerKey: who gets a key, for how long it is valid, and what is never stored or logged.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { hashComputerSecret, isComputerKey } from '../../src/features/computers/rules/computer-key.ts';
import { recordAudit } from '../support/audit.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import {
  betaHost,
  computerKid,
  computerPath,
  createComputer,
  createComputerKey,
  enrol,
  enrolTestComputer,
  renewCode,
  renewKey,
  revokeComputer,
} from '../support/computers.ts';
import { createToken, insertTestBank } from '../support/factories.ts';
import { startInstance } from '../support/instances.ts';
import { countOutcomes, runInParallel } from '../support/replicas.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, minuteMs, testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

serviceSuite(
  { now: testNow, replicas: 2, tenants: ['sund', 'fjord'] },
  ({ service, replicaFor, manager, clock, nextBankId }) => {
    let address = 1;
    /** An address that has typed no wrong code yet. */
    const newAddress = (): string => `127.0.1.${(address += 1)}`;
    async function createBank(tenant = 'sund'): Promise<number> {
      const bankId = nextBankId();
      await service.write(tenant, (db) => insertTestBank(db, { bankId }));
      return bankId;
    }
    async function createCode(bankId: number, options: CallOptions = {}): Promise<string> {
      const { status, json, text } = await createComputer(service, { ...manager, bankId, ...options });
      assert.equal(status, 201, text);
      return json.enrolmentCode;
    }
    const readKeys = (bankId: number) =>
      service.read('sund', (db) =>
        db.selectFrom('computer_keys').selectAll().where('bank_id', '=', bankId).orderBy('created_at').execute(),
      );
    const assertRefused = ({ status, json }: HttpReply, message = ''): void =>
      assert.deepEqual([status, json.code], [403, 'invalid-enrolment-code'], message);
    let from: string;
    before(() => {
      from = newAddress();
    });

    test('[computers.02] a code gives its computer a key once, of which only the hash is stored', async () => {
      const bankId = await createBank();
      const code = await createCode(bankId);
      const { result, entries } = await recordAudit(service, () =>
        enrol(service, code, { serial: ' SN-7 ', software: '2.4.1' }),
      );
      assert.equal(result.status, 200, result.text);
      const { computerKid: kid, key, serverTime } = result.json;
      assert.deepEqual([kid, serverTime], [computerKid(1, bankId), '2026-06-15T09:30:00.000Z']);
      assert.ok(isComputerKey(key));
      assert.deepEqual(await readKeys(bankId), [
        {
          key_hash: hashComputerSecret(key),
          bank_id: bankId,
          computer_id: 1,
          environment: 'production',
          created_at: testNow,
          first_used_at: null,
        },
      ]);
      const [entry] = entries;
      assert.deepEqual(
        [entries.length, entry?.chain, entry?.actor_kind, entry?.actor_id, entry?.operation, entry?.object],
        [1, bankId, 'computer', 1, 'EnrolComputer', kid],
      );
      assert.equal(entry?.new_values, '{"serial":"SN-7","software":"2.4.1","key":"changed"}');
      const { json } = await service.call('GET', computerPath(kid), manager);
      assert.partialDeepStrictEqual(json, { state: 'enrolled', software: '2.4.1', revision: '2', buffered: 0 });
      assert.equal(json.lastContactUtc, serverTime);
      assertRefused(await enrol(service, code, { from }), 'used twice');
      assert.equal((await readKeys(bankId)).length, 1);
      const log = await service.call('GET', `/api/v1/audit?object=${kid}`, manager);
      assert.deepEqual(log.json.items[0].actor, { kind: 'computer', kid, name: null });
    });

    test('[computers.02] case, hyphens and spaces of a code do not count', async () => {
      const code = await createCode(await createBank());
      const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `;
      assert.equal((await enrol(service, typed)).status, 200);
    });

    test('[computers.03] every code that cannot be used has the same answer', async () => {
      const [bankId, revokedId, renewedId, deletedId] = [
        await createBank(),
        await createBank(),
        await createBank(),
        await createBank(),
      ];
      const codes: Record<string, string> = {
        unknown: '2222-2222-2222-2222',
        empty: '',
        malformed: '1',
        ofBeta: await createCode(bankId, { host: betaHost, ...(await createToken(service, { environment: 'beta' })) }),
        revoked: await createCode(revokedId),
        replaced: await createCode(renewedId),
        ofDeletedBank: await createCode(deletedId),
      };
      assert.equal((await revokeComputer(service, computerKid(1, revokedId), manager)).status, 200);
      assert.equal((await renewCode(service, computerKid(1, renewedId), manager)).status, 200);
      await service.write('sund', (db) =>
        db.updateTable('banks').set({ deleted_at: testNow }).where('bank_id', '=', deletedId).execute(),
      );
      const answers = new Set<string>();
      const { entries } = await recordAudit(service, async () => {
        for (const [what, code] of Object.entries(codes)) {
          const reply = await enrol(service, code, { from });
          assertRefused(reply, what);
          answers.add(JSON.stringify({ ...reply.json, requestId: '', traceId: '' }));
        }
      });
      assert.deepEqual([answers.size, entries], [1, []]);
      const beta = await enrol(service, codes['ofBeta'], { host: betaHost });
      assert.equal(beta.status, 200, beta.text);
      assert.equal((await renewKey(service, beta.json.key, { host: betaHost })).status, 200);
      assert.equal((await renewKey(service, beta.json.key)).status, 401, 'a key of the other environment');
    });

    test('[computers.02] a code is valid for 24 hours', async () => {
      const code = await createCode(await createBank());
      clock.now += dayMs;
      assertRefused(await enrol(service, code, { from }));
      clock.now -= 1;
      assert.equal((await enrol(service, code, { from })).status, 200);
    });

    test('[computers.09] a code or a key of another tenant is unknown', async () => {
      const bankId = await createBank();
      const fjord = { host: 'api.fjord.localhost' };
      assertRefused(await enrol(service, await createCode(bankId), { ...fjord, from }));
      const { key } = await enrolTestComputer(service, { ...manager, bankId, name: 'other', units: ['1-2'] });
      assert.equal((await renewKey(service, key, fjord)).status, 401);
    });

    test('[computers.04] of enrolments with one code at the same time exactly one gets a key', async () => {
      for (let round = 0; round < 3; round += 1) {
        const bankId = await createBank();
        const code = await createCode(bankId);
        const replies = await runInParallel(8, (at) => enrol(replicaFor(at), code, { from: newAddress() }));
        assert.deepEqual(countOutcomes(replies), { '200': 1, '403 invalid-enrolment-code': 7 });
        assert.equal((await readKeys(bankId)).length, 1);
        const key = replies.find(({ status }) => status === 200)?.json.key;
        assert.equal((await renewKey(service, key)).status, 200);
      }
    });

    test('[computers.06] with a new code a replacement enrols: the keys of its predecessor end then, and its streams stay', async () => {
      const bankId = await createBank();
      const { kid, key } = await enrolTestComputer(service, { ...manager, bankId });
      await service.write('sund', (db) =>
        db
          .updateTable('computer_streams')
          .set({ epoch: 'first', epoch_number: 1, through: 12, booked: 12 })
          .where('bank_id', '=', bankId)
          .where('stream', '=', 'money')
          .execute(),
      );
      await service.write('sund', (db) =>
        db.updateTable('device_sync_heads').set({ queued: 12 }).where('bank_id', '=', bankId).execute(),
      );
      const renewed = await renewCode(service, kid, { ...manager, expectedRevision: '2' });
      assert.equal(renewed.status, 200, renewed.text);
      const next = await renewKey(service, key);
      assert.equal(next.status, 200, 'the old key is valid until the code is used');
      const replacement = await enrol(service, renewed.json.enrolmentCode, { serial: 'SN-2' });
      assert.equal(replacement.status, 200, replacement.text);
      for (const ended of [key, next.json.key]) assert.equal((await renewKey(service, ended)).status, 401);
      const { json } = await service.call('GET', computerPath(kid), manager);
      assert.deepEqual(json.streams[0], { stream: 'money', epoch: 'first', through: 12, held: 0 });
      const row = await service.read('sund', (db) =>
        db.selectFrom('computers').select('desired_from').where('bank_id', '=', bankId).executeTakeFirstOrThrow(),
      );
      assert.equal(row.desired_from, 12, 'it knows nothing that is older');
      assert.equal((await renewKey(service, replacement.json.key)).status, 200);
    });

    test('[computers.08] a revoked key is refused on the next call, on every replica', async () => {
      const bankId = await createBank();
      const { kid, key } = await enrolTestComputer(service, { ...manager, bankId });
      const next = (await renewKey(replicaFor(1), key)).json.key;
      assert.equal((await revokeComputer(service, kid, { ...manager, expectedRevision: '2' })).status, 200);
      for (const at of [0, 1])
        for (const ended of [key, next]) {
          const { status, json } = await renewKey(replicaFor(at), ended);
          assert.deepEqual([status, json.code], [401, 'unauthenticated']);
        }
    });

    test('[computers.16] the computer of a deleted bank is refused on the next call, on every replica', async () => {
      const bankId = await createBank();
      const { key } = await enrolTestComputer(service, { ...manager, bankId });
      const next = (await renewKey(service, key)).json.key;
      const setDeleted = (deletedAt: number | null) =>
        service.write('sund', (db) =>
          db.updateTable('banks').set({ deleted_at: deletedAt }).where('bank_id', '=', bankId).execute(),
        );
      const callWith = (at: number, token: string) => replicaFor(at).call('GET', '/equipment/v1/streams', { token });
      assert.equal((await callWith(1, key)).status, 200);
      await setDeleted(testNow);
      for (const at of [0, 1])
        for (const refused of [key, next]) {
          const { status, json } = await callWith(at, refused);
          assert.deepEqual([status, json.code], [401, 'unauthenticated']);
        }
      // A refused call is no first use: the key that the computer has is valid again with its bank.
      await setDeleted(null);
      assert.equal((await callWith(0, key)).status, 200);
    });

    test('[computers.07] two keys are valid until the next one is first used, and a lost answer locks nobody out', async () => {
      const bankId = await createBank();
      const { kid, key } = await enrolTestComputer(service, { ...manager, bankId });
      const { result: lost, entries } = await recordAudit(service, () => renewKey(service, key));
      assert.deepEqual([lost.status, Object.keys(lost.json)], [200, ['key', 'serverTime']]);
      assert.deepEqual(
        entries.map(({ actor_kind, actor_id, operation, object, new_values }) => [
          actor_kind,
          actor_id,
          operation,
          object,
          new_values,
        ]),
        [['computer', 1, 'RenewComputerKey', kid, '{"key":"changed"}']],
      );
      // The answer is lost: the computer asks again with the key that it has.
      clock.now += minuteMs;
      const second = await renewKey(service, key);
      assert.equal(second.status, 200);
      assert.equal((await readKeys(bankId)).length, 2);
      assert.equal((await renewKey(service, lost.json.key)).status, 401, 'it was replaced before its first use');
      const third = await renewKey(service, second.json.key);
      assert.equal(third.status, 200, 'its first use');
      assert.equal((await renewKey(service, key)).status, 401, 'the key before it has ended');
      assert.equal((await renewKey(service, third.json.key)).status, 200);
    });

    test('[computers.07] of rotations at the same time the last one counts, and the present key stays valid', async () => {
      const bankId = await createBank();
      const { key } = await enrolTestComputer(service, { ...manager, bankId });
      const replies = await runInParallel(6, (at) => renewKey(replicaFor(at), key));
      assert.deepEqual(countOutcomes(replies), { '200': 6 });
      assert.equal((await readKeys(bankId)).length, 2);
      assert.equal((await renewKey(service, key)).status, 200);
    });

    test('[computers.08] a revocation at the same time as enrolments and rotations leaves no key', async () => {
      const bankId = await createBank();
      const { kid, key } = await enrolTestComputer(service, { ...manager, bankId });
      const { json } = await renewCode(service, kid, { ...manager, expectedRevision: '2' });
      const replies = await runInParallel(7, async (at) => {
        if (at % 3 === 0) return renewKey(replicaFor(at), key);
        if (at % 3 === 1) return enrol(replicaFor(at), json.enrolmentCode, { from: newAddress() });
        // The enrolment is a revision of its own.
        const options = { ...manager, expectedRevision: at === 2 ? '3' : '4' };
        return revokeComputer(replicaFor(at), kid, options);
      });
      for (const { status, text } of replies) assert.ok([200, 401, 403, 409].includes(status), text);
      const { state, revision } = (await service.call('GET', computerPath(kid), manager)).json;
      if (state !== 'revoked')
        assert.equal((await revokeComputer(service, kid, { ...manager, expectedRevision: revision })).status, 200);
      assert.deepEqual(await readKeys(bankId), []);
      assert.equal((await renewKey(service, key)).status, 401);
    });

    test('[computers.09] only a key of a computer, in Authorization, opens its operations', async () => {
      const { key } = await enrolTestComputer(service, { ...manager, bankId: await createBank() });
      for (const token of [
        undefined,
        manager.token,
        createComputerKey(),
        key.slice(0, -1),
        `${key}0`,
        key.toLowerCase(),
      ])
        assert.equal((await service.call('POST', '/equipment/v1/key', { token })).status, 401, token ?? 'none');
      assert.equal((await service.call('POST', `/equipment/v1/key?key=${key}`)).status, 401);
      assert.equal((await service.call('GET', '/api/v1/session/me', { token: key })).status, 401, 'and no others');
    });

    test('a serial number and the software are plain text, and nothing else is taken', async () => {
      const bankId = await createBank();
      const code = await createCode(bankId);
      const wrong: [body: object, path: string][] = [
        ...['', ' ', 'a\nb', 'x'.repeat(129), 5, null].map((serial): [object, string] => [{ serial }, 'body.serial']),
        ...['', 'x'.repeat(65), {}].map((software): [object, string] => [{ software }, 'body.software']),
        ...['x'.repeat(65), 5, null].map((wrongCode): [object, string] => [{ code: wrongCode }, 'body.code']),
        [{ more: 1 }, 'body.more'],
      ];
      for (const [part, path] of wrong) {
        const body = { code, serial: 'SN-1', software: '1', ...part };
        const { status, json } = await service.call('POST', '/equipment/v1/enrol', { body, from });
        assert.deepEqual([status, json.errors?.[0]?.path], [400, path], JSON.stringify(part));
      }
      assert.equal((await enrol(service, code, { from })).status, 200, 'the code was not used up');
    });

    test('[computers.05] an address that guesses is stopped after 30 wrong codes, and nobody else', async () => {
      const [bankId, guesser] = [await createBank(), newAddress()];
      const code = await createCode(bankId);
      const wrong = () => enrol(service, '3333-3333-3333-3333', { from: guesser });
      const replies = await runInParallel(40, wrong);
      assert.deepEqual(countOutcomes(replies), { '403 invalid-enrolment-code': 30, '429 too-many-attempts': 10 });
      const stopped = await enrol(service, code, { from: guesser });
      assert.equal(stopped.status, 429, 'also a right code');
      assert.ok(Number(stopped.headers['retry-after']) > 0);
      const fjord = await enrol(service, code, { from: guesser, host: 'api.fjord.localhost' });
      assertRefused(fjord, 'another tenant');
      assert.equal((await enrol(service, code, { from: newAddress() })).status, 200);
    });

    test('[computers.05, replicas.06] wrong codes count once over two replicas, also at the same time and after a restart, until the five minutes end', async () => {
      const [bankId, guesser] = [await createBank(), newAddress()];
      const code = await createCode(bankId);
      const wrong = (at: number) => enrol(replicaFor(at), '3333-3333-3333-3333', { from: guesser });
      const replies = await runInParallel(60, wrong);
      assert.deepEqual(countOutcomes(replies), { '403 invalid-enrolment-code': 30, '429 too-many-attempts': 30 });
      const restarted = await startInstance(replicaFor(1));
      try {
        for (const each of [replicaFor(0), replicaFor(1), restarted]) {
          const { status, headers } = await enrol(each, code, { from: guesser });
          assert.deepEqual([status, headers['retry-after']], [429, '300']);
        }
        clock.now += 5 * minuteMs - 1;
        assert.equal((await enrol(restarted, code, { from: guesser })).status, 429);
        clock.now += 1;
        assert.equal((await enrol(restarted, code, { from: guesser })).status, 200);
      } finally {
        await restarted.stop();
      }
    });

    test('[replicas.06] a right code stores nothing of the throttling, and a wrong one no address', async () => {
      const stored = () => service.read('sund', (db) => db.selectFrom('login_failures').selectAll().execute());
      await service.write('sund', (db) => db.deleteFrom('login_failures').execute());
      const [bankId, guesser] = [await createBank(), newAddress()];
      assert.equal((await enrol(service, await createCode(bankId), { from: guesser })).status, 200);
      assert.deepEqual(await stored(), []);
      assertRefused(await enrol(service, '3333-3333-3333-3333', { from: guesser }));
      const rows = await stored();
      assert.equal(rows.length, 1);
      assert.partialDeepStrictEqual(rows[0], { failures: 1, ends_at: testNow + 5 * minuteMs });
      assert.doesNotMatch(JSON.stringify(rows), /127\.0\.1/);
    });

    test('[computers.05] many right codes at the same time from one address are all accepted', async () => {
      const office = newAddress();
      const codes = await runInParallel(35, async () => createCode(await createBank()));
      const replies = await runInParallel(35, (at) => enrol(service, codes[at] ?? '', { from: office }));
      assert.deepEqual(countOutcomes(replies), { '200': 35 });
    });

    test('[computers.05] right codes are not counted', async () => {
      const [bankId, office] = [await createBank(), newAddress()];
      for (let at = 0; at < 35; at += 1) {
        const { json } =
          at === 0
            ? await createComputer(service, { ...manager, bankId })
            : await renewCode(service, computerKid(1, bankId), { ...manager, expectedRevision: String(2 * at) });
        assert.equal((await enrol(service, json.enrolmentCode, { from: office })).status, 200, String(at));
      }
    });

    test('without storage nothing is decided, and the code stays valid', async () => {
      const code = await createCode(await createBank());
      const reply = await callWithoutStorage(service, () => enrol(service, code, { from }), 'computers');
      assert.deepEqual([reply.status, reply.json.code], [503, 'storage-unavailable']);
      assert.equal((await enrol(service, code, { from })).status, 200);
    });
  },
);
