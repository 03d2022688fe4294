// A service whose data, caches, mails and backups are on one small disk, which only this process has mounted: `node
// full-disk-program.ts DIRECTORY`. The disk gets full, folders of files cannot be used, and both end again. It prints
// its figures as JSON, and fails where a promise is broken.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertSoundAudit } from '../../support/audit.ts';
import { createBookableBank } from '../../support/bookings.ts';
import { computersPath } from '../../support/computers.ts';
import { createToken, insertTestManager } from '../../support/factories.ts';
import { sendFile } from '../../support/imports.ts';
import { startInstance } from '../../support/instances.ts';
import { plainPasswordHash, plainPasswords } from '../../support/password-hashing.ts';
import { runPortal } from '../../support/portal-process.ts';
import { startService } from '../../support/service.ts';
import { callSetUnitSetting, unitIds } from '../../support/unit-settings.ts';

const [, , disk = ''] = process.argv;
const storageUrl = `sqlite:${join(disk, 'data')}`;
const settings = {
  PORTAL_CACHE: join(disk, 'cache'),
  PORTAL_MAIL_OUTBOX: join(disk, 'outbox'),
  PORTAL_HOSTING_STATE: join(disk, 'hosting'),
};
const service = await startService('sqlite', { storage: { storageUrl, release: async () => {} }, settings });
const { call, stop } = await startInstance(service, { passwordHasher: plainPasswords });
await createBookableBank(service);
const { token } = await createToken(service);
const password = 'plain and long enough';
await service.write('sund', (db) =>
  insertTestManager(db, { userName: 'anna', passwordHash: plainPasswordHash(password) }),
);

const ballast = join(disk, 'ballast');

function fillDisk(): void {
  for (const size of [65_536, 4096, 1]) while (appendBallast(Buffer.alloc(size)));
}

/** False if nothing of it has room. */
function appendBallast(chunk: Buffer): boolean {
  const size = statSync(ballast, { throwIfNoEntry: false })?.size ?? 0;
  try {
    appendFileSync(ballast, chunk);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    return statSync(ballast).size > size;
  }
}

const acknowledged: string[] = [];
let revision = '0';
/** The status, and whether the same request was acknowledged. */
async function writeNote(): Promise<number> {
  const value = `note ${acknowledged.length} ${'x'.repeat(400)}`;
  const headers = { 'idempotency-key': `key-${acknowledged.length}` };
  const reply = await callSetUnitSetting({ call }, unitIds(), 'Note', value, {
    token,
    expectedRevision: revision,
    headers,
  });
  if (reply.status === 200) {
    acknowledged.push(value);
    ({ revision } = reply.json);
  } else assert.deepEqual([reply.status, reply.json.code], [503, 'storage-unavailable'], reply.text);
  return reply.status;
}

let images = 0;
const readPaths = ['/api/v1/session/me', computersPath(), '/api/v1/banks/sund-B1001/account?limit=50'];
/** Reads, images that were never rendered and one that was. */
async function readAll(): Promise<void> {
  images += 1;
  const colour = createHash('sha256').update(String(images)).digest('hex').slice(0, 6);
  const paths = [
    ...readPaths,
    `/api/v1/circles/running/${colour}.svg`,
    '/api/v1/circles/running/ff0000.svg',
    `/api/v1/icon/line/house/${colour}/${64 + images}.png`,
  ];
  for (const path of paths) {
    const { status, text } = await call('GET', path, { token });
    assert.equal(status, 200, `${path}: ${text}`);
  }
}

const others: Readonly<Record<string, () => Promise<{ readonly status: number; readonly text: string }>>> = {
  login: () => call('POST', '/api/v1/session/login', { body: { userName: 'anna', password } }),
  mail: async () => {
    // Each manager may ask for a few in an hour.
    const { token: own } = await createToken(service);
    const body = { email: `new.${randomUUID()}@example.org` };
    return call('POST', '/api/v1/session/me/email-verification', { token: own, body });
  },
  import: () => sendFile({ call }, 'key;name\r\nt1;Anna Demo\r\n', { token, kind: 'residents', bankId: 1001 }),
};

const backup = (name: string) =>
  runPortal(['backup', join(disk, name), '--tenant', 'sund'], { PORTAL_STORAGE: storageUrl, ...settings });

async function requireWorking(): Promise<void> {
  assert.equal(await writeNote(), 200);
  await readAll();
  for (const [name, send] of Object.entries(others)) {
    const { status, text } = await send();
    assert.ok(status < 300, `${name}: ${text}`);
  }
}

await requireWorking();
const healthy = await backup('first.backup');
assert.equal(healthy.code, 0, healthy.stderr);

fillDisk();
let stored = 0;
// SQLite can still use the space that its files have.
while ((await writeNote()) === 200) assert.ok((stored += 1) < 5000);
const refused: Record<string, string> = {};
for (let round = 0; round < 5; round += 1) {
  await readAll();
  assert.equal(await writeNote(), 503);
}

for (const name of ['login', 'import']) {
  const { status, text } = await others[name]!();
  refused[name] = `${status} ${String(JSON.parse(text).code)}`;
  assert.equal(status, 503, `${name}: ${text}`);
}
const mail = await call('POST', '/api/v1/session/me/email-verification', {
  token,
  body: { email: 'full@example.org' },
});
assert.equal(mail.status, 503, mail.text);
const failed = await backup('second.backup');
assert.notEqual(failed.code, 0, 'a backup without space fails');
assert.ok(!existsSync(join(disk, 'second.backup')), 'and leaves no file that looks like one');

rmSync(ballast);
const from = performance.now();
await requireWorking();
const recoveryMs = Math.round(performance.now() - from);
const again = await backup('third.backup');
assert.equal(again.code, 0, again.stderr);
const verified = await runPortal(['backup', 'verify', join(disk, 'third.backup')], {});
assert.equal(verified.code, 0, verified.stderr);

// Folders that cannot be used: a file is in the place of each.
for (const name of ['cache', 'outbox', 'hosting']) {
  if (existsSync(join(disk, name))) renameSync(join(disk, name), join(disk, `${name}.away`));
  writeFileSync(join(disk, name), '');
}
await readAll();
assert.equal(await writeNote(), 200);
const unsent = await others['mail']!();
assert.equal(unsent.status, 503, unsent.text);
assert.equal(JSON.parse(unsent.text).code, 'mail-unavailable');
for (const name of ['cache', 'outbox', 'hosting']) {
  rmSync(join(disk, name));
  if (existsSync(join(disk, `${name}.away`))) renameSync(join(disk, `${name}.away`), join(disk, name));
}
await requireWorking();

const history = await service.read('sund', (db) =>
  db.selectFrom('unit_setting_history').select('value').where('name', '=', 'Note').orderBy('version').execute(),
);
assert.deepEqual(
  history.map(({ value }) => value),
  acknowledged,
);
await assertSoundAudit(service);
await stop();
await service.stop();
process.stdout.write(
  JSON.stringify({
    'writes acknowledged': acknowledged.length,
    'acknowledged and lost': 0,
    'refused while the disk was full': JSON.stringify({ ...refused, mail: mail.json.code }),
    'backup on a full disk': failed.stderr.trim().split('\n').at(-1) ?? '',
    'files left of it': readdirSync(disk).filter((name) => name.startsWith('second')).length,
    'until all works again, ms': recoveryMs,
  }),
);
