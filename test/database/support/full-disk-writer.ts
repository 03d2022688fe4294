// A process that mounts a small private disk and fills it while it writes settings through a service: run as `node
// full-disk-writer.ts STORAGE DIRECTORY`, it prints the results as JSON. On SQLite the database lies on the disk, on
// MariaDB the history of the settings.

import { appendFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createToken, insertTestBank } from '../../support/factories.ts';
import { isReplay } from '../../support/idempotent-operations.ts';
import { startService } from '../../support/service.ts';
import { connectDirectly, storageAddressOf } from '../../support/test-database.ts';
import { callSetUnitSetting, unitIds } from '../../support/unit-settings.ts';

const [, , storageUrl = '', disk = ''] = process.argv;
const engine = storageUrl.startsWith('sqlite:') ? 'sqlite' : 'mariadb';
const storage = { storageUrl, release: async () => {} };
const service = await startService(engine, { storage });
await service.write('sund', (db) => insertTestBank(db));
const { token } = await createToken(service);
if (engine === 'mariadb') await recreateHistory(` data directory = '/proc/${process.pid}/root${disk}'`);

/** The server sees the disk through this process. */
async function recreateHistory(options: string): Promise<void> {
  const outsider = await connectDirectly(storageAddressOf(storage));
  const [table] = await outsider.run('show create table unit_setting_history');
  await outsider.run('drop table unit_setting_history');
  // Only a table with a file of its own can lie elsewhere.
  const [before] = await outsider.run('select @@global.innodb_file_per_table as setting');
  await outsider.run('set global innodb_file_per_table = 1');
  await outsider.run(String(table?.['Create Table']) + options);
  await outsider.run(`set global innodb_file_per_table = ${String(before?.['setting'])}`);
  await outsider.close();
}

const ballast = join(disk, 'ballast');

function fillDisk(): void {
  for (const size of [65_536, 4096, 1]) {
    const chunk = Buffer.alloc(size);
    while (appendBallast(chunk));
  }
}

/** Returns false if nothing of it has room. */
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

const stored: string[] = [];
let revision = '0';
const write = async () => {
  const count = stored.length;
  const reply = await callSetUnitSetting(service, unitIds(), 'Note', `note ${count} ${'x'.repeat(400)}`, {
    token,
    expectedRevision: revision,
    headers: { 'idempotency-key': `key-${count}` },
  });
  if (reply.status !== 200) return reply;
  stored.push(reply.json.value);
  ({ revision } = reply.json);
  return reply;
};
const isHistoryRight = async (): Promise<boolean> => {
  const rows = await service.read('sund', (db) =>
    db.selectFrom('unit_setting_history').select('value').orderBy('version').execute(),
  );
  return JSON.stringify(rows.map(({ value }) => value)) === JSON.stringify(stored);
};

await write();
fillDisk();
// The engine can still use the space that it has already allocated.
let refused = await write();
while (refused.status === 200 && stored.length < 5000) refused = await write();
const wasRight = await isHistoryRight();
rmSync(ballast);
const again = await write();
process.stdout.write(
  JSON.stringify({
    refused: [refused.status, refused.json.code, refused.headers['retry-after']],
    again: [again.status, isReplay(again)],
    isHistoryRight: [wasRight, await isHistoryRight()],
  }),
);
if (engine === 'mariadb') await recreateHistory('');
await service.stop();
