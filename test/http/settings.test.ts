// A wrong start: an invalid setting is refused by its name, a wrong flag in one line, both with exit code 2.
// cspell:ignore legder verfy xyzzy
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { documentNames } from '../../src/http/openapi/documents.ts';
import { createStorage } from '../support/service.ts';
import { runPortal, startServeProcess } from '../support/portal-process.ts';
import { sendRaw, formatRawRequest } from './support/raw-http.ts';

const wrongSettings: [variable: string, value: string][] = [
  ['PORTAL_HOST', 'no host'],
  ['PORTAL_PORT', '70000'],
  ['PORTAL_DOMAIN', '-.-'],
  ['PORTAL_STORAGE', 'postgres://user:pass-word@127.0.0.1/x'],
  ['PORTAL_TENANTS', import.meta.filename],
  ['PORTAL_GEOCODER', import.meta.filename],
  ['PORTAL_HOSTING', import.meta.filename],
  ['PORTAL_ALLOWED_ORIGINS', 'https://portal.example/'],
  ['PORTAL_TLS_CERT', import.meta.filename],
  ['PORTAL_TLS_KEY', '/nowhere/key.pem'],
  ['PORTAL_METRICS_PORT', 'x'],
  ['PORTAL_LOG_LEVEL', 'loud'],
  ['PORTAL_RATE_LIMIT', '0'],
  ['PORTAL_CONNECTIONS', '100'],
  ['PORTAL_TRUSTED_PROXIES', 'proxy.example'],
  ['PORTAL_SIMULATOR', 'maybe'],
  ['PORTAL_WORKERS', '0'],
  ['PORTAL_STOP_DELAY', '1.5'],
];

const wrongArguments = [
  ['serve', '--nothing'],
  ['serve', '--dem'],
  ['serve', 'extra'],
  ['sevre'],
  ['demo', '--postings', '1e3'],
  ['demo', '--tenant', 'oslo'],
  ['manager', 'create'],
  ['openapi'],
  ['import', 'postal-codes'],
];

/** One line on standard error, and nothing else. */
function assertOneLine({ code, stdout, stderr }: Awaited<ReturnType<typeof runPortal>>, expected: number): string {
  assert.deepEqual([code, stdout], [expected, ''], stderr);
  assert.match(stderr, /^error: [^\n]+\n$/);
  return stderr;
}

describe('a wrong start', { concurrency: 4 }, () => {
  for (const [variable, value] of wrongSettings)
    test(`${variable} is refused by its name if it cannot be used`, async () => {
      const said = assertOneLine(await runPortal(['serve'], { PORTAL_PORT: '0', [variable]: value }), 2);
      assert.ok(said.startsWith(`error: ${variable}`), said);
      assert.ok(!said.includes('pass-word'), 'a password is not repeated');
    });

  for (const argv of wrongArguments)
    test(`portal ${argv.join(' ')} is refused in one line`, async () => {
      assertOneLine(await runPortal(argv, { PORTAL_STORAGE: 'sqlite:/nowhere' }), 2);
    });

  test('a port that is taken ends the process with a line that names it', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    // With open databases, which must not keep the process alive.
    const storage = await createStorage('sqlite');
    assert.equal((await runPortal(['migrate'], { PORTAL_STORAGE: storage.storageUrl })).code, 0);
    const settings = { PORTAL_STORAGE: storage.storageUrl, PORTAL_PORT: String(port), PORTAL_METRICS_PORT: '0' };
    const said = assertOneLine(await runPortal(['serve'], settings), 1);
    assert.match(said, new RegExp(`PORTAL_PORT.* ${port}: EADDRINUSE`));
    const ofEquipment = { ...settings, PORTAL_PORT: '0', PORTAL_EQUIPMENT_PORT: String(port) };
    assert.match(
      assertOneLine(await runPortal(['equipment'], ofEquipment), 1),
      new RegExp(`PORTAL_EQUIPMENT_PORT: .* ${port}: EADDRINUSE.* port with PORTAL_EQUIPMENT_PORT`),
    );
    taken.close();
    await storage.release();
  });

  test('serve --demo says that a port is taken, and what to do, before it creates anything', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1');
    t.after(() => taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const folder = mkdtempSync(join(tmpdir(), 'portal-taken-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const settings = { PORTAL_STORAGE: `sqlite:${folder}/data`, PORTAL_PORT: String(port), PORTAL_METRICS_PORT: '0' };
    const said = assertOneLine(await runPortal(['serve', '--demo'], settings), 1);
    assert.match(
      said,
      /EADDRINUSE, another program uses it: stop that program, or choose another port with PORTAL_PORT/,
    );
    assert.deepEqual(readdirSync(folder), []);
  });

  test('help and version are not errors', async () => {
    for (const argv of [['--help'], ['serve', '--help'], ['manager', 'create', '--help'], ['--version']]) {
      const { code, stdout, stderr } = await runPortal(argv);
      assert.deepEqual([code, stderr], [0, ''], argv.join(' '));
      assert.ok(stdout.length > 0);
    }
  });

  test('the help lists the commands of groups, too', async () => {
    const { stdout } = await runPortal(['--help']);
    for (const name of ['manager list', 'import postal-codes', 'verify ledger', 'verify audit', 'release verify'])
      assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
    assert.doesNotMatch((await runPortal(['verify', '--help'])).stdout, /verify ledger/);
  });

  for (const [typed, expected] of [
    ['verify legder', /unknown command 'verify legder': did you mean verify ledger\?/],
    ['ledger', /unknown command 'ledger': did you mean verify ledger\?/],
    ['manager lst', /unknown command 'manager lst': did you mean manager list\?/],
    ['sevre', /unknown command 'sevre': did you mean serve\?/],
    ['release verfy', /unknown command 'release verfy': did you mean release verify\?/],
    ['xyzzy', /unknown command 'xyzzy': portal --help lists them/],
  ] as const)
    test(`portal ${typed} says what may be meant`, async () => {
      assert.match(assertOneLine(await runPortal(typed.split(' ')), 2), expected);
    });

  test('openapi --help names the documents that it writes', async () => {
    const { stdout } = await runPortal(['openapi', '--help']);
    for (const name of documentNames) assert.ok(stdout.replaceAll(/\s+/g, ' ').includes(`${name}-v1`), name);
  });

  test('an unknown setting is a warning, and the service starts', async () => {
    const child = await startServeProcess({ PORTAL_STORAGE: 'sqlite:/nowhere/at/all', PORTAL_PROT: '1' });
    assert.match(child.stderr(), /^warning: unknown setting PORTAL_PROT$/m);
    await child.kill();
  });

  test('without its database the service starts, reports what fails, and shows the password nowhere', async () => {
    const settings = { PORTAL_STORAGE: 'mysql://portal:pass-word@127.0.0.1:1/portal_', PORTAL_LOG_LEVEL: 'trace' };
    const child = await startServeProcess(settings);
    try {
      const get = (path: string) =>
        sendRaw(child.port, formatRawRequest(`GET ${path} HTTP/1.1`, ['Host: api.sund.localhost']));
      assert.equal((await get('/livez')).status, 200);
      const { status, json } = await get('/readyz');
      assert.deepEqual([status, json.detail], [503, 'connection']);
      assert.equal((await get('/api/v1/session/me')).status, 401);
      child.signal('SIGTERM');
      assert.deepEqual(await child.ended, { code: 0, signal: null });
      const log = child.lines().join('\n') + child.stderr();
      assert.match(log, /"tenant":"sund","storage":"portal_sund".*"check":"connection"/);
      assert.ok(!log.includes('pass-word'));
    } finally {
      await child.kill();
    }
  });
});
