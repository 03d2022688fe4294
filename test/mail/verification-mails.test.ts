// The mail with a verification code, in each of the ten languages, and what happens if it cannot be sent.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import PostalMime from 'postal-mime';
import { languages } from '../../src/lib/text/language.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { readLocale } from '../support/locales.ts';
import { serviceFixture, serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { StorageError } from '../../src/database/errors.ts';
import type { Mailer } from '../../src/providers/mail/mailer.ts';
import { createMailer } from '../../src/providers/mail/create-mailer.ts';
import { parseSmtpUrl } from '../../src/providers/mail/mail-settings.ts';
import {
  codeOf,
  codePattern,
  confirmCode,
  getProfile,
  requestCode,
  takeMails,
} from '../profile/support/own-profile.ts';
import { startMailServer, startRawServer, type MailServer } from './support/mail-server.ts';

const from = { name: 'Portal', address: 'portal@example.org' };
const mailerTo = (port: number, totalMs = 60_000) =>
  createMailer({
    smtp: parseSmtpUrl(`smtp://127.0.0.1:${port}`),
    from,
    outbox: '/nowhere',
    clock: Date.now,
    timeouts: { stepMs: totalMs, totalMs },
  });

describe('the languages', () => {
  const { service, issueToken, started, onStop } = serviceFixture('sqlite', { now: testNow, manager: false });
  let server: MailServer;
  let instance: TestInstance;
  before(async () => {
    await started;
    server = await startMailServer();
    onStop(() => server.stop());
    instance = await startInstance(service, { mailer: mailerTo(server.port) });
    onStop(instance.stop);
  });

  test('[managers.16] in each language the mail has the code, its validity, and the texts of the language in both parts', async () => {
    for (const language of languages) {
      const token = await issueToken({ name: 'Buy at http://spam.example' });
      const headers = { 'accept-language': language };
      const reply = await requestCode(instance, 'someone@example.org', { token, headers });
      assert.equal(reply.status, 202, reply.text);
      const { message, to } = server.mails.at(-1) ?? { message: '', to: [] };
      assert.deepEqual(to, ['someone@example.org']);
      const mail = await PostalMime.parse(message);
      const code = codeOf(mail);
      assert.match(code, codePattern);
      const texts = readLocale(language)
        .filter(({ key }) => key.startsWith('email-verification.'))
        .map(({ text }) => text.replaceAll('{portal}', 'Sund').replaceAll('{minutes}', '15'));
      const [subject = '', ...sentences] = texts;
      assert.equal(sentences.length, 4);
      assert.equal(mail.subject, subject);
      for (const part of [mail.text ?? '', unescape(mail.html ?? '')]) {
        for (const sentence of sentences) assert.ok(part.includes(sentence), `${language}: ${sentence}`);
        assert.ok(part.includes(code) && !part.includes('spam'), language);
      }
      assert.ok(mail.html?.includes(`<html lang="${language}">`));
      assert.equal(mail.headers.find(({ key }) => key === 'content-language')?.value, language);
      assert.equal((await confirmCode(instance, code, { token })).status, 200, language);
    }
  });
});

const unavailable = [503, 'mail-unavailable', 'server-unavailable'];

const unescape = (html: string): string => html.replaceAll('&#39;', "'").replaceAll('&amp;', '&');

serviceSuite({ now: testNow, manager: false }, ({ service, issueToken, onStop }) => {
  const startWith = async (port: number, totalMs?: number): Promise<TestInstance> => {
    const instance = await startInstance(service, { mailer: mailerTo(port, totalMs) });
    onStop(instance.stop);
    return instance;
  };

  const email = 'someone@example.org';

  test('a mail that no server accepts is 503 mail-unavailable, and its code is withdrawn and not counted', async () => {
    const closing = await startRawServer((socket) => socket.destroy());
    const hanging = await startRawServer(() => {});
    const refusingSender = await startMailServer({
      onMailFrom: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: 550 })),
    });
    for (const server of [closing, hanging, refusingSender]) onStop(server.stop);
    const token = await issueToken();
    for (const server of [closing, hanging, refusingSender]) {
      const instance = await startWith(server.port, server === hanging ? 200 : undefined);
      for (let count = 0; count < 3; count += 1) {
        const reply = await requestCode(instance, email, { token });
        assert.deepEqual([reply.status, reply.json.code, reply.json.reason], unavailable);
        assert.equal(reply.headers['retry-after'], '30');
      }
    }
    assert.equal((await getProfile(service, { token })).json.pendingEmail, null);
    assert.equal((await requestCode(service, email, { token })).status, 202);
    assert.equal((await takeMails(service)).length, 1);
  });

  test('[managers.17] a mail that fails after the server has its address is counted, since it could be sent nevertheless', async () => {
    const late = await startMailServer({
      onData: (stream, _session, done) =>
        void stream.resume().on('end', () => done(Object.assign(new Error('later'), { responseCode: 451 }))),
    });
    onStop(late.stop);
    const instance = await startWith(late.port);
    const token = await issueToken();
    for (let count = 0; count < 5; count += 1) {
      const { status, json } = await requestCode(instance, email, { token });
      assert.deepEqual([status, json.code, json.reason], unavailable);
    }
    assert.equal((await requestCode(instance, email, { token })).json.code, 'too-many-verifications');
    assert.equal((await getProfile(service, { token })).json.pendingEmail, null);
  });

  test('[managers.17] an address that the server refuses permanently is 400 invalid-profile, and counted', async () => {
    const refusing = await startMailServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: 550 })),
    });
    onStop(refusing.stop);
    const instance = await startWith(refusing.port);
    const token = await issueToken();
    for (let count = 0; count < 5; count += 1) {
      const { status, json, headers } = await requestCode(instance, email, { token });
      assert.deepEqual([status, json.code, headers['retry-after']], [400, 'invalid-profile', undefined]);
      assert.deepEqual(json.errors, [{ path: 'body.email', message: 'is refused by the mail server' }]);
    }
    assert.equal((await requestCode(instance, email, { token })).json.code, 'too-many-verifications');
  });

  test('a code is valid until the mail of a newer one is sent', async () => {
    const closing = await startRawServer((socket) => socket.destroy());
    const refusing = await startMailServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: 550 })),
    });
    for (const server of [closing, refusing]) onStop(server.stop);
    const token = await issueToken();
    const take = async (): Promise<string> => {
      assert.equal((await requestCode(service, email, { token })).status, 202);
      return codeOf((await takeMails(service))[0]!);
    };
    const first = await take();
    const second = await take();
    for (const { port } of [closing, refusing])
      assert.notEqual((await requestCode(await startWith(port), 'other@example.org', { token })).status, 202);
    assert.equal((await getProfile(service, { token })).json.pendingEmail, email);
    assert.equal((await confirmCode(service, first, { token })).json.code, 'invalid-code');
    assert.equal((await confirmCode(service, second, { token })).status, 200);
    assert.equal((await confirmCode(service, first, { token })).json.code, 'invalid-code');
  });

  /** An instance of which one write, counted from 0, is committed without anybody being told. */
  const startUncertain = async (uncertainWrite: number, mailer: Mailer): Promise<TestInstance> => {
    const { databases } = service.dependencies;
    let writes = 0;
    const forTenant: typeof databases.forTenant = (tenant) => ({
      ...databases.forTenant(tenant),
      write: async (options, work) => {
        const result = await databases.forTenant(tenant).write(options, work);
        if (writes++ === uncertainWrite) throw new StorageError('outcome-unknown', new Error('lost'));
        return result;
      },
    });
    const instance = await startInstance(service, { mailer, databases: { ...databases, forTenant } });
    onStop(instance.stop);
    return instance;
  };

  test('[general.27] if it is unknown whether the code was stored, no mail is sent and no success is answered', async () => {
    const options = { token: await issueToken(), headers: { 'idempotency-key': 'uncertain' } };
    const instance = await startUncertain(0, service.dependencies.mailer);
    const reply = await requestCode(instance, 'someone@example.org', options);
    assert.deepEqual([reply.status, reply.json.code], [503, 'storage-outcome-unknown']);
    assert.deepEqual(await takeMails(service), []);
    const again = await requestCode(instance, 'someone@example.org', options);
    assert.deepEqual([again.status, again.json.code], [409, 'idempotency-in-progress']);
    assert.equal((await requestCode(instance, 'someone@example.org', { token: options.token })).status, 202);
    assert.equal((await takeMails(service)).length, 1);
  });

  test('[general.27] if it is unknown whether a code was withdrawn, the answer says so', async () => {
    const closing = await startRawServer((socket) => socket.destroy());
    onStop(closing.stop);
    const token = await issueToken();
    const instance = await startUncertain(1, mailerTo(closing.port));
    const reply = await requestCode(instance, 'someone@example.org', { token });
    assert.deepEqual([reply.status, reply.json.code], [503, 'storage-outcome-unknown']);
    assert.equal((await getProfile(service, { token })).json.pendingEmail, null);
  });

  test('a mail that failed is sent by the next request with the same Idempotency-Key', async () => {
    const closing = await startRawServer((socket) => socket.destroy());
    onStop(closing.stop);
    const options = { token: await issueToken(), headers: { 'idempotency-key': 'mail' } };
    const failed = await requestCode(await startWith(closing.port), 'someone@example.org', options);
    assert.equal(failed.status, 503);
    const sent = await requestCode(service, 'someone@example.org', options);
    assert.deepEqual([sent.status, sent.headers['idempotency-replayed']], [202, undefined]);
    const [mail] = await takeMails(service);
    assert.equal((await confirmCode(service, codeOf(mail!), options)).json.code, 'idempotency-mismatch');
    assert.equal((await confirmCode(service, codeOf(mail!), { token: options.token })).status, 200);
  });
});
