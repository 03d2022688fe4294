// A service process is killed while it waits for the mail server, so that the mail of a verification code is not sent. The
// repeated request with the same key sends one.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitUntil } from '../support/async.ts';
import { confirmCode, getProfile, requestCode, codePattern } from '../profile/support/own-profile.ts';
import { createCaller } from '../support/call.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { startServeProcess, type ServeProcess } from '../support/portal-process.ts';
import { declareOperations } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { minuteMs } from '../support/times.ts';
import { startMailServer, startRawServer } from './support/mail-server.ts';

const email = 'someone@example.org';

serviceSuite({}, ({ service, storage, manager, onStop }) => {
  async function startWith(mailPort: number): Promise<ServeProcess & { readonly call: typeof service.call }> {
    const folder = mkdtempSync(join(tmpdir(), 'portal-killed-mail-'));
    onStop(() => rmSync(folder, { recursive: true, force: true }));
    const child = await startServeProcess({
      PORTAL_STORAGE: storage.storageUrl,
      PORTAL_CACHE: join(folder, 'cache'),
      PORTAL_HOSTING_STATE: join(folder, 'hosting'),
      PORTAL_LOG_LEVEL: 'silent',
      PORTAL_SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      PORTAL_MAIL_FROM: 'portal@example.org',
    });
    onStop(() => child.kill());
    return { ...child, call: createCaller(child.port, declareOperations(service.dependencies)) };
  }

  const readRecord = () =>
    service.read('sund', (db) =>
      db.selectFrom('idempotency_records').select(['created_at', 'status']).executeTakeFirstOrThrow(),
    );

  test('[general.47] an email verification that was killed before its mail was sent is sent by a repeated request, once the first one has surely ended', async () => {
    const options = { token: manager.token, headers: { 'idempotency-key': 'killed' } };
    const silent = await startRawServer(() => {});
    onStop(silent.stop);
    const killed = await startWith(silent.port);
    const lost = requestCode(killed, email, options).catch((error: unknown) => error);
    await waitUntil('the mail server is asked', () => silent.connections > 0);
    await killed.kill();
    assert.ok((await lost) instanceof Error);
    assert.equal((await getProfile(service, options)).json.pendingEmail, email, 'the code was stored');

    const mailServer = await startMailServer();
    onStop(() => mailServer.stop());
    const restarted = await startWith(mailServer.port);
    const early = await requestCode(restarted, email, options);
    const { created_at: createdAt } = await readRecord();
    assert.deepEqual([early.status, early.json.code], [409, 'idempotency-in-progress']);
    const endsAt = Date.UTC(2000, 0, 1) + createdAt + minuteMs;
    const leftSeconds = (endsAt - Date.now()) / 1000;
    const retryAfter = Number(early.headers['retry-after']);
    assert.ok(retryAfter >= leftSeconds && retryAfter <= 60, `${retryAfter} s, ${leftSeconds} s are left`);
    assert.equal(mailServer.mails.length, 0);

    // A minute passes.
    await service.write('sund', (db) =>
      db
        .updateTable('idempotency_records')
        .set({ created_at: createdAt - minuteMs })
        .execute(),
    );
    const replies = await Promise.all([1, 2, 3].map(() => requestCode(restarted, email, options)));
    const [sent] = replies.filter(({ status }) => status === 202);
    for (const { status, json } of replies.filter((reply) => reply.status !== 202))
      assert.deepEqual([status, json.code], [409, 'idempotency-in-progress']);
    assert.ok(sent !== undefined);
    assert.equal(mailServer.mails.length, 1);
    const again = await requestCode(restarted, email, options);
    assert.deepEqual([again.status, again.text, isReplay(again)], [202, sent.text, true]);
    assert.equal((await readRecord()).status, 202);
    const code = codePattern.exec(mailServer.mails[0]?.message ?? '')?.[0];
    assert.equal((await confirmCode(restarted, code, { token: manager.token })).json.email, email);
  });
});
