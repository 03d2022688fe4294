// TLS to MariaDB: every connection of the service and of its commands is encrypted, and a server that does not prove its
// name gets no login.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createConnection, type Connection } from 'mysql2/promise';
import { createCertificateAuthority, type Certificate } from '../http/support/certificate.ts';
import { storageError, waitUntil } from '../support/async.ts';
import { getTenant } from '../support/demo-database.ts';
import { noMariaDb, startMariaDb, type MariaDb } from '../support/mariadb-server.ts';
import { runPortal } from '../support/portal-process.ts';
import { createStorage, startService } from '../support/service.ts';
import { isEncrypted, startRecorder, type Recorder } from './support/recorder.ts';

const user = 'encrypted';
const password = 'a-password-in-the-clear';

describe('TLS to MariaDB', { skip: noMariaDb }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-database-tls-'));
  const path = (name: string): string => join(folder, name);
  const authority = createCertificateAuthority('authority of the tests');
  let server: MariaDb;
  let recorder: Recorder;
  let root: Connection;
  const use = ({ cert, key }: Certificate): void => {
    writeFileSync(path('server.pem'), cert);
    writeFileSync(path('server.key'), key);
  };
  before(async () => {
    writeFileSync(path('ca.pem'), authority.cert);
    writeFileSync(path('other.pem'), createCertificateAuthority('somebody else').cert);
    writeFileSync(path('tenants.json'), JSON.stringify([getTenant('sund')]));
    const client = authority.issue(['portal']);
    writeFileSync(path('client.pem'), client.cert);
    writeFileSync(path('client.key'), client.key);
    use(authority.issue(['127.0.0.1', 'localhost']));
    const started = await startMariaDb({
      bufferPoolMegabytes: 64,
      settings: [`--ssl-cert=${path('server.pem')}`, `--ssl-key=${path('server.key')}`, `--ssl-ca=${path('ca.pem')}`],
    });
    assert.ok(started);
    server = started;
    root = await createConnection({ uri: server.url('').slice(0, -1) });
    await root.query(`create user ${user}@127.0.0.1 identified by '${password}' require ssl`);
    await root.query(`grant all on *.* to ${user}@127.0.0.1`);
  });
  after(async () => {
    await root?.end();
    await server?.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async (t) => {
    recorder = await startRecorder(server.port);
    (t as unknown as { after(work: () => Promise<void>): void }).after(() => recorder.close());
  });

  /** Through the recorder. */
  const urlOf = (host = '127.0.0.1', parameters = `ssl-mode=VERIFY_IDENTITY&ssl-ca=${path('ca.pem')}`): string =>
    `mysql://${user}:${password}@${host}:${recorder.port}/tls_?${parameters}`;
  const settingsOf = (storageUrl: string) => ({
    PORTAL_STORAGE: storageUrl,
    PORTAL_TENANTS: path('tenants.json'),
    PORTAL_PORT: '0',
    PORTAL_METRICS_PORT: '0',
  });
  const assertEncrypted = (): void => {
    assert.ok(recorder.sent.length > 0);
    for (const sent of recorder.sent) {
      assert.ok(isEncrypted(sent), sent.toString('latin1'));
      for (const secret of [user, password]) assert.ok(!sent.includes(secret));
    }
  };
  const migrate = (storageUrl: string) => runPortal(['migrate'], settingsOf(storageUrl));
  /** No tenant is usable, for this reason, and the login has not been sent. */
  const assertRefused = async (storageUrl: string, problem: string): Promise<void> => {
    const { code, stderr } = await migrate(storageUrl);
    assert.equal(code, 1);
    assert.ok(stderr.includes(`: tls: ${problem}`), stderr);
    const service = await startService('mariadb', {
      storage: { storageUrl, release: async () => {} },
      settings: { PORTAL_TENANTS: path('tenants.json') },
      tenants: [],
    });
    try {
      await waitUntil('/readyz says so', async () => {
        const { status, json } = await service.call('GET', '/readyz');
        assert.equal(status, 503);
        return json.detail === 'tls' && json.errors[0].message.startsWith(`tls: tls_sund: ${problem}`);
      });
    } finally {
      await service.stop();
    }
    for (const sent of recorder.sent)
      for (const secret of [user, password]) assert.ok(!sent.includes(secret), 'the login was sent');
  };

  test('[storage.01] commands and the service encrypt all their connections, also that which ends a statement', async (t) => {
    const storageUrl = urlOf();
    for (const command of [
      ['migrate'],
      ['migrate', '--plan'],
      ['verify', 'ledger'],
      ['backup', '--tenant', 'sund', path('sund.backup')],
    ]) {
      const { code, stderr } = await runPortal(command, settingsOf(storageUrl));
      assert.equal(code, 0, `${command.join(' ')}: ${stderr}`);
    }
    const service = await startService('mariadb', {
      storage: { storageUrl, release: async () => {} },
      settings: { PORTAL_TENANTS: path('tenants.json') },
      tenants: [],
    });
    t.after(() => service.stop());
    await waitUntil('it is ready', async () => (await service.call('GET', '/readyz')).status === 200);
    const cipher = await service.read('sund', (db) =>
      sql<{ Value: string }>`show session status like 'Ssl_cipher'`.execute(db),
    );
    assert.match(cipher.rows[0]?.Value ?? '', /^TLS_/);
    const database = service.dependencies.databases.forTenant('sund');
    const countBefore = recorder.sent.length;
    await assert.rejects(
      database.read({ deadlineMs: 300 }, (db) => sql`select sleep(600)`.execute(db)),
      storageError('timeout'),
    );
    // It runs in the server until it is ended by a connection of its own.
    await waitUntil('the statement is ended', async () => {
      const [rows] = await root.query(`select 1 from information_schema.processlist where info like '%sleep(600)%'
        and id <> connection_id()`);
      return (rows as unknown[]).length === 0;
    });
    assert.ok(recorder.sent.length > countBefore);
    assertEncrypted();
  });

  test('[storage.01] a certificate of another authority is refused; without ssl-ca the authorities are those of Node', async () => {
    for (const parameters of [`ssl-ca=${path('other.pem')}`, 'ssl-mode=VERIFY_IDENTITY'])
      await assertRefused(
        urlOf('127.0.0.1', parameters),
        'the certificate of the server is not trusted (self-signed certificate in certificate chain).',
      );
  });

  test('[storage.01] the certificate must have the very name or address by which the server is called', async (t) => {
    const useNow = async (names: readonly string[], validFromMs?: number): Promise<void> => {
      use(authority.issue(names, validFromMs));
      await root.query('flush ssl');
    };
    t.after(() => useNow(['127.0.0.1', 'localhost']));
    const wrongName = 'the certificate of the server is for another name';
    // The driver itself would compare the certificate of an address with `localhost`.
    await useNow(['localhost', 'db.example']);
    await assertRefused(urlOf('127.0.0.1'), wrongName);
    assert.equal((await migrate(urlOf('localhost'))).code, 0);
    await useNow(['127.0.0.1']);
    await assertRefused(urlOf('localhost'), wrongName);
    assert.equal((await migrate(urlOf('127.0.0.1'))).code, 0);
    const longAgoMs = Date.now() - 3 * 86_400_000;
    await useNow(['127.0.0.1'], longAgoMs);
    await assertRefused(urlOf(), 'the certificate of the server is not trusted (certificate has expired).');
  });

  test('a server that asks for a certificate of the service gets that of the settings', async (t) => {
    await root.query(`alter user ${user}@127.0.0.1 require x509`);
    t.after(() => root.query(`alter user ${user}@127.0.0.1 require ssl`));
    assert.match((await migrate(urlOf())).stderr, /: permissions: /);
    const own = `&ssl-cert=${path('client.pem')}&ssl-key=${path('client.key')}`;
    const { code, stderr } = await migrate(urlOf('127.0.0.1', `ssl-ca=${path('ca.pem')}${own}`));
    assert.equal(code, 0, stderr);
  });

  test('[storage.01] a server without TLS is refused', async (t) => {
    const storage = await createStorage('mariadb');
    t.after(() => storage.release());
    const plain = await startRecorder(Number(new URL(storage.storageUrl).port));
    t.after(() => plain.close());
    await recorder.close();
    recorder = plain;
    await assertRefused(urlOf(), 'the server takes no TLS connections');
  });
});
