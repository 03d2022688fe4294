// Plants passwords, tokens, codes, PINs and keys in requests, and searches for them where they must not be: in the log
// at its lowest level, in refusals, in the audit log, in stored answers and rows, and in mails to others.

import { randomBytes } from 'node:crypto';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createPasswordHasher } from '../../src/features/passwords/process/password-hasher.ts';
import { hashToken } from '../../src/features/sessions/rules/session-token.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import type { LiveLog } from '../../src/lib/live-log/live-log.ts';
import { createLog } from '../../src/log.ts';
import { createMailer } from '../../src/providers/mail/create-mailer.ts';
import { parseSmtpUrl } from '../../src/providers/mail/mail-settings.ts';
import { startMailServer, type MailServer } from '../mail/support/mail-server.ts';
import { changePassword, codePattern, confirmCode, requestCode } from '../profile/support/own-profile.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import { createToken, insertTestManager } from '../support/factories.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { readContentLines, writeBackupBytes } from '../support/backups.ts';
import { executeUserCommand, getActivation } from '../support/resident-calls.ts';
import { createBankOfResidents } from '../support/resident-rows.ts';
import { generateApiKey } from '../support/services.ts';
import { declareOperations } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createSample } from './support/operation-samples.ts';

serviceSuite({ manager: false }, ({ service, onStop }) => {
  const canaries = new Map<string, string>();
  const plant = (name: string, value = `canary-${randomBytes(12).toString('hex')}`): string => {
    canaries.set(name, value);
    return value;
  };
  const log: string[] = [];
  const refusals: string[] = [];
  const liveEvents: string[] = [];
  let instance: TestInstance;
  let mailServer: MailServer;
  let operations: readonly Operation[];
  /** The mail server quotes its input in its replies. */
  let refusesMails = false;

  /** Stores the answer if it is a refusal. */
  const keep = async (reply: Promise<HttpReply>): Promise<HttpReply> => {
    const { status, text, headers } = await reply;
    if (status >= 400) refusals.push(JSON.stringify(headers) + text);
    return reply;
  };
  const call = (method: string, path: string, options: CallOptions) => keep(instance.call(method, path, options));
  const login = (userName: string, password: string) =>
    call('POST', '/api/v1/session/login', { body: { userName, password } });

  before(async () => {
    operations = declareOperations(service.dependencies);
    mailServer = await startMailServer({
      onData: (stream, session, done) => {
        let message = '';
        stream.setEncoding('utf8').on('data', (chunk: string) => (message += chunk));
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address);
          mailServer.mails.push({ from: '', to, message, isSecure: false, user: undefined });
          done(refusesMails ? Object.assign(new Error(message), { responseCode: 554 }) : null);
        });
      },
    });
    onStop(() => mailServer.stop());
    const liveLog: LiveLog = {
      ...service.dependencies.liveLog,
      add: (event) => {
        // The fields of a request are computed when they are read.
        const { fields, userIds } = event;
        liveEvents.push(JSON.stringify({ ...event, fields, userIds }));
        service.dependencies.liveLog.add(event);
      },
    };
    instance = await startInstance(service, {
      log: createLog('trace', { write: (line) => void log.push(line) }, { liveLog }),
      liveLog,
      passwordHasher: createPasswordHasher({ memory: 64, passes: 2, parallelism: 1, tagLength: 32 }),
      mailer: createMailer({
        smtp: parseSmtpUrl(`smtp://127.0.0.1:${mailServer.port}`),
        from: { name: '', address: 'portal@example.org' },
        outbox: '/nowhere',
        clock: Date.now,
      }),
    });
    onStop(() => instance.stop());
  });

  test('secrets of a login, of the own profile, of residents and of services are sent', async () => {
    const password = plant('password');
    const passwords = createPasswordHasher({ memory: 64, passes: 2, parallelism: 1, tagLength: 32 });
    const passwordHash = await passwords.hash(password);
    await service.write('sund', (db) => insertTestManager(db, { userName: 'owner', passwordHash }));
    assert.equal((await login('owner', plant('wrong password'))).status, 401);
    assert.equal((await login('nobody', plant('password of an unknown user'))).status, 401);
    const { json } = await login('owner', password);
    const token = plant('token', json.accessToken);
    for (const [change, status] of [
      [{ currentPassword: plant('wrong current password'), newPassword: plant('never new password') }, 400],
      [{ currentPassword: password, newPassword: plant('unequal'), repeatPassword: plant('repeat') }, 400],
      [{ currentPassword: password, newPassword: plant('long password', `canary${'x'.repeat(200)}`) }, 400],
      [{ currentPassword: password, newPassword: plant('new password') }, 204],
    ] as const)
      assert.equal((await keep(changePassword(instance, change, { token }))).status, status);

    const keyed = (key: string) => ({ token, headers: { 'idempotency-key': key } });
    assert.equal((await keep(requestCode(instance, 'owner@example.org', keyed('request')))).status, 202);
    const code = plant('code', codePattern.exec(mailServer.mails.at(-1)?.message ?? '')?.[0]);
    plant('code without hyphens', code.replaceAll('-', ''));
    assert.equal(
      (await keep(confirmCode(instance, plant('wrong code', 'CANA-RYCA-NARY'), keyed('wrong')))).status,
      400,
    );
    assert.equal((await keep(confirmCode(instance, code, keyed('right')))).status, 200);
    refusesMails = true;
    assert.equal((await keep(requestCode(instance, 'owner@example.org', keyed('refused')))).status, 503);
    refusesMails = false;
    plant('code of a refused mail', codePattern.exec(mailServer.mails.at(-1)?.message ?? '')?.[0]);
    const { token: other } = await createToken(service);
    assert.equal((await keep(requestCode(instance, 'other@example.org', { token: other }))).status, 202);
    plant('code of another', codePattern.exec(mailServer.mails.at(-1)?.message ?? '')?.[0]);

    await createBankOfResidents(service, 2001, [{ name: 'Demo Resident' }]);
    const ofBank = { ...keyed('pin'), bankId: 2001 };
    const setPin = { command: 'SetPin', value: plant('PIN', '90417326') };
    assert.equal((await keep(executeUserCommand(instance, 1001, setPin, ofBank))).status, 200);
    assert.equal((await keep(executeUserCommand(instance, 1001, setPin, { token, bankId: 2001 }))).status, 409);
    const renew = { command: 'RenewActivation', expectedRevision: '2' };
    const renewed = await keep(executeUserCommand(instance, 1001, renew, { ...keyed('renew'), bankId: 2001 }));
    assert.equal(renewed.status, 200, renewed.text);
    const activation = await keep(getActivation(instance, 1001, { token, bankId: 2001 }));
    plant('activation code', activation.json.code);
    const generated = await keep(generateApiKey(instance, 'Mailer', { token, expectedRevision: '1' }));
    assert.equal(generated.status, 200, generated.text);
    const apiKey = plant('API key', generated.json.apiKey);
    for (const given of [apiKey, `${apiKey}x`]) await call('GET', '/api/v1/session/me', { token: given });
    for (const value of canaries.values()) assert.ok(value.length >= 8);
  });

  test('every operation is called with a token, and with secrets that it refuses', async () => {
    const { token } = await createToken(service);
    plant('token of every call', token);
    plant('its hash', hashToken(token));
    for (const operation of operations) {
      if (operation.id === 'LogoutManager') continue;
      const { method, path, body } = createSample(operation);
      await call(method, path, { token, body });
      await call(method, path, { token: plant(`token refused by ${operation.id}`), body });
      if (operation.body === undefined) continue;
      const secret = plant(`field refused by ${operation.id}`);
      const fields = Object.keys((operation.body as { properties?: object }).properties ?? {});
      const refused = { ...Object.fromEntries(fields.map((field) => [field, { nested: secret }])), more: secret };
      await call(method, path, { token, body: refused });
      await call(method, path, { token, rawBody: `{"password":"${plant(`cut off for ${operation.id}`)}"` });
    }
  });

  test('no log line and no refusal contains a secret', () => {
    assert.ok(log.length > 100 && refusals.length > 50, `${log.length} lines, ${refusals.length} refusals`);
    for (const [kind, texts] of Object.entries({ log, refusals }))
      for (const text of texts)
        for (const [name, value] of canaries) assert.ok(!text.includes(value), `${kind}: ${name}: ${text}`);
  });

  test('[livelogs.11] no live log contains a secret, an address or a name', async () => {
    const { token } = await createToken(service);
    const shown = await instance.call('GET', '/api/v1/diagnostics/live-logs', { token });
    assert.equal(shown.json.servers[0].events.length, 100);
    assert.ok(liveEvents.length > 100 && liveEvents.some((event) => event.includes('"Warning"')));
    for (const text of [...liveEvents, shown.text]) {
      for (const [name, value] of canaries) assert.ok(!text.includes(value), `${name}: ${text}`);
      assert.doesNotMatch(text, /canary|@|example\.org|Demo Resident|127\.0\.0\.1|api\/v1/);
    }
  });

  test('no entry of the audit log, no stored answer, no session and no manager holds a secret', async () => {
    const tables = [
      'audit_entries',
      'idempotency_records',
      'sessions',
      'managers',
      'email_verifications',
      'services',
      'service_history',
      'resident_history',
    ] as const;
    for (const table of tables) {
      const rows = await service.read('sund', (db) => db.selectFrom(table).selectAll().execute());
      assert.ok(rows.length > 0, table);
      const text = JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
      for (const [name, value] of canaries)
        if (!(name === 'its hash' && table === 'sessions')) assert.ok(!text.includes(value), `${table}: ${name}`);
    }
  });

  test('[attack.12] no metric holds a secret, and no name or address', async () => {
    const text = await service.dependencies.metrics.text();
    assert.ok(text.includes('http_server_request_duration_seconds_count{'));
    for (const [name, value] of canaries) assert.ok(!text.includes(value), name);
    assert.doesNotMatch(text, /canary|example\.org|Demo Resident/);
  });

  test('[attack.12] a backup holds no secret that a client has sent or got', async () => {
    const lines = readContentLines(await writeBackupBytes(service.dependencies.databases.forTenant('sund')));
    const text = lines.join('\n');
    assert.ok(text.includes('owner@example.org'), 'the backup has what is no secret');
    // The code of a resident has to be shown again, and a token can be found only by its hash.
    const kept = new Set(['activation code', 'its hash']);
    for (const [name, value] of canaries) if (!kept.has(name)) assert.ok(!text.includes(value), name);
  });

  test('a mail has only the code of its own request', () => {
    assert.ok(mailServer.mails.length >= 3);
    for (const { message } of mailServer.mails) {
      const told = [...canaries.values()].filter((value) => message.includes(value));
      assert.ok(told.length <= 1, told.join());
    }
  });
});
