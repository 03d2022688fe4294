// RequestMyManagerEmailVerification and ConfirmMyManagerEmail: a code by mail makes an address the manager's own.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createHashCounter } from '../support/password-hashing.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { countOutcomes, runInParallel } from '../support/replicas.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, minuteMs, testNow } from '../support/times.ts';
import {
  codeOf,
  confirmCode,
  getCurrent,
  getProfile,
  requestCode,
  takeCode,
  takeMails,
} from './support/own-profile.ts';

const email = 'new@example.org';
const wrongCode = '2222-2222-2222';

serviceSuite({ now: testNow, replicas: 2, manager: false }, (suite) => {
  const { service, replicaFor, issueToken, clock } = suite;
  beforeEach(async () => void (await takeMails(service)));
  const create = async () => ({
    token: await issueToken({ email: 'old@example.org', tabs: [], permissions: [], grants: [] }),
  });
  const requestedBy = async (self: { token: string }, address = email): Promise<string> => {
    assert.equal((await requestCode(service, address, self)).status, 202);
    return takeCode(service);
  };
  const assertInvalid = async (reply: Promise<{ status: number; json: { code: string } }>): Promise<void> => {
    const { status, json } = await reply;
    assert.deepEqual([status, json.code], [400, 'invalid-code']);
  };

  test('[managers.16, managers.18] a code is mailed, and makes the address the manager’s own, once', async () => {
    const self = await create();
    const requested = await requestCode(service, ` ${email} `, self);
    assert.equal(requested.status, 202);
    assert.deepEqual(requested.json, { email, expiresAtUtc: '2026-06-15T09:45:00.000Z' });
    const [mail, ...more] = await takeMails(service);
    assert.deepEqual([more.length, mail?.to?.[0]?.address], [0, email]);
    const { json: pending } = await getProfile(service, self);
    assert.deepEqual(
      [pending.email, pending.emailVerified, pending.pendingEmail, pending.revision],
      ['old@example.org', false, email, '1'],
    );
    const code = codeOf(mail!);
    const confirmed = await confirmCode(service, code.toLowerCase().replaceAll('-', ' '), self);
    assert.equal(confirmed.status, 200, confirmed.text);
    const { json } = confirmed;
    assert.deepEqual([json.email, json.emailVerified, json.pendingEmail, json.revision], [email, true, null, '2']);
    assert.deepEqual((await getProfile(service, self)).json, json);
    assert.equal((await getCurrent(service, self)).json.email, email);
    await assertInvalid(confirmCode(service, code, self));
  });

  test('a pending address changes the ETag of the profile, and so does its end', async () => {
    const self = await create();
    const etags = [(await getProfile(service, self)).headers.etag];
    await requestedBy(self);
    etags.push((await getProfile(service, self)).headers.etag);
    clock.now += 15 * minuteMs;
    const expired = await getProfile(service, self);
    assert.equal(expired.json.pendingEmail, null);
    assert.notEqual(etags[0], etags[1]);
    assert.equal(expired.headers.etag, etags[0]);
  });

  test('[managers.19] a wrong, a used, a replaced, an expired and another manager’s code are refused alike', async () => {
    const [self, other] = [await create(), await create()];
    await assertInvalid(confirmCode(service, wrongCode, self));
    const replaced = await requestedBy(self);
    const code = await requestedBy(self, 'newer@example.org');
    const ofOther = await requestedBy(other);
    for (const wrong of [replaced, ofOther, '', 'x', `${code}2`])
      await assertInvalid(confirmCode(service, wrong, self));
    const expired = await requestedBy(self);
    clock.now += 15 * minuteMs;
    await assertInvalid(confirmCode(service, expired, self));
    clock.now -= 1;
    assert.equal((await confirmCode(service, expired, self)).status, 200);
    for (const body of [{}, { code: 5 }, { code: 'x'.repeat(101) }, { code: expired, more: 1 }]) {
      const { status, json } = await service.call('POST', '/api/v1/session/me/email-confirmation', { ...self, body });
      assert.deepEqual([status, json.code], [400, 'invalid-code']);
    }
  });

  test('[managers.19] after five wrong tries a code is no longer valid, even if it is then entered correctly', async () => {
    const self = await create();
    const code = await requestedBy(self);
    for (let tried = 0; tried < 4; tried += 1) await assertInvalid(confirmCode(service, wrongCode, self));
    assert.equal((await getProfile(service, self)).json.pendingEmail, email);
    await assertInvalid(confirmCode(service, wrongCode, self));
    await assertInvalid(confirmCode(service, code, self));
    const { json } = await getProfile(service, self);
    assert.deepEqual([json.email, json.pendingEmail], ['old@example.org', null]);
    const next = await requestedBy(self);
    assert.equal((await confirmCode(service, next, self)).status, 200, 'another code has its own tries');
  });

  test('[managers.19] concurrent wrong tries are all counted, also those on another instance', async () => {
    const self = await create();
    const code = await requestedBy(self);
    const replies = await runInParallel(20, (at) => confirmCode(replicaFor(at), wrongCode, self));
    assert.deepEqual(countOutcomes(replies), { '400 invalid-code': 20 });
    await assertInvalid(confirmCode(service, code, self));
    const managerId = Number((await getProfile(service, self)).json.kid.replace('sund-M', ''));
    const rows = await service.read('sund', (db) =>
      db
        .selectFrom('email_verifications')
        .select(['wrong_tries', 'code_hash'])
        .where('manager_id', '=', managerId)
        .execute(),
    );
    assert.deepEqual(rows, [{ wrong_tries: 5, code_hash: null }]);
  });

  test('[managers.18] of many concurrent confirmations with the right code, one succeeds', async () => {
    const self = await create();
    const code = await requestedBy(self);
    const replies = await runInParallel(10, (at) => confirmCode(replicaFor(at), code, self));
    assert.deepEqual(countOutcomes(replies), { '200': 1, '400 invalid-code': 9 });
  });

  test('[managers.17] the sixth request in an hour is 429 with Retry-After, also if they are concurrent', async () => {
    const self = await create();
    const replies = await runInParallel(8, (at) => requestCode(replicaFor(at), email, self));
    assert.deepEqual(countOutcomes(replies), { '202 undefined': 5, '429 too-many-verifications': 3 });
    clock.now += hourMs - 1500;
    const refused = await requestCode(service, email, self);
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '2']);
    const mails = [...(await takeMails(service)), ...(await takeMails(replicaFor(1)))];
    assert.equal(mails.length, 5, 'a refused request mails nothing');
    clock.now += 1500;
    assert.equal((await requestCode(service, email, self)).status, 202);
    assert.equal((await requestCode(service, email, await create())).status, 202, 'others have requests of their own');
  });

  test('[managers.19] a code that was used ends an earlier one whose end was not stored', async () => {
    const self = await create();
    const earlier = await requestedBy(self);
    const codes = await service.read('sund', (db) => db.selectFrom('email_verifications').selectAll().execute());
    const code = await requestedBy(self);
    // As if the process had ended between the mail and the end of the earlier code.
    for (const { manager_id, verification_id, code_hash } of codes)
      await service.write('sund', (db) =>
        db
          .updateTable('email_verifications')
          .set({ code_hash })
          .where('manager_id', '=', manager_id)
          .where('verification_id', '=', verification_id)
          .execute(),
      );
    assert.equal((await confirmCode(service, code, self)).status, 200);
    await assertInvalid(confirmCode(service, earlier, self));
  });

  test('only one of several codes requested at once is valid', async () => {
    const self = await create();
    await runInParallel(4, () => requestCode(service, email, self));
    const codes = (await takeMails(service)).map(codeOf);
    const outcomes = [];
    for (const code of codes) outcomes.push((await confirmCode(service, code, self)).status);
    assert.deepEqual(
      outcomes.toSorted((a, b) => a - b),
      [200, 400, 400, 400],
    );
  });

  test('[managers.16] an invalid address is 400 invalid-profile, and no mail is sent', async () => {
    const self = await create();
    const long = `${'l'.repeat(65)}@example.org`;
    const wrong = ['', 'x', 'a@b', long, 'a@b.org,c@d.org', 'a@b.org\r\nBcc: c@d.org', '<a@b.org>', 5, null, undefined];
    for (const address of wrong) {
      const { status, json } = await requestCode(service, address, self);
      assert.deepEqual([status, json.code], [400, 'invalid-profile'], String(address));
    }
    assert.deepEqual(await takeMails(service), []);
  });

  test('the code is stored only as a hash, of this manager and request', async () => {
    const self = await create();
    const code = await requestedBy(self);
    const rows = await service.read('sund', (db) => db.selectFrom('email_verifications').selectAll().execute());
    const text = JSON.stringify(rows);
    for (const form of [code, code.replaceAll('-', '')]) assert.ok(!text.includes(form));
    assert.match(rows.at(-1)?.code_hash ?? '', /^[0-9a-f]{64}$/);
  });

  test('a repeated request with an Idempotency-Key mails no second code, and a refused one leaves its key free', async () => {
    const self = { ...(await create()), headers: { 'idempotency-key': 'verify' } };
    const first = await requestCode(service, email, self);
    const code = await takeCode(service);
    const again = await requestCode(service, email, self);
    assert.deepEqual([again.status, isReplay(again), again.text], [202, true, first.text]);
    assert.deepEqual(await takeMails(service), []);
    const confirming = { token: self.token, headers: { 'idempotency-key': 'confirm' } };
    const hashes = createHashCounter();
    after(hashes.stop);
    await assertInvalid(confirmCode(service, wrongCode, confirming));
    const slowHashes = await hashes.countDuring(async () => {
      const confirmed = await confirmCode(service, code, confirming);
      assert.deepEqual([confirmed.status, isReplay(confirmed)], [200, false]);
      const repeated = await confirmCode(service, code, confirming);
      assert.deepEqual([repeated.status, isReplay(repeated), repeated.text], [200, true, confirmed.text]);
    });
    assert.equal(slowHashes, 0, 'a used code is worthless');
  });

  test('request and confirmation are recorded, without address or code', async () => {
    const self = await create();
    const { kid } = (await getProfile(service, self)).json;
    await confirmCode(service, await requestedBy(self), self);
    const entries = await service.read('sund', (db) =>
      db
        .selectFrom('audit_entries')
        .select(['operation', 'old_values', 'new_values'])
        .where('object', '=', kid)
        .orderBy('sequence')
        .execute(),
    );
    assert.deepEqual(entries, [
      { operation: 'RequestMyManagerEmailVerification', old_values: null, new_values: '{"pendingEmail":"changed"}' },
      {
        operation: 'ConfirmMyManagerEmail',
        old_values: '{"email":"changed","emailVerified":0}',
        new_values: '{"email":"changed","emailVerified":1}',
      },
    ]);
  });
});
