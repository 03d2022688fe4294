// The commands of README.md, docs/tour.md and docs/equipment.md work as they stand: they are run against a service with demo data.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { seedDemoTenant } from '../support/demo-database.ts';
import { reasonWithout } from '../support/programs.ts';
import { serviceFixture } from '../support/service-suite.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'portal-tour-'));
// Makes curl fail with a message if a response is not a success.
writeFileSync(join(folder, '.curlrc'), 'fail\nshow-error\n');

const { service, started, onStop } = serviceFixture('sqlite', {
  demo: true,
  manager: false,
  settings: { PORTAL_MAIL_OUTBOX: join(folder, 'data/outbox') },
});
onStop(() => rmSync(folder, { recursive: true }));
before(async () => {
  await started;
  const now = toMs2000(Date.now());
  await seedDemoTenant(service.dependencies.databases.forTenant('sund'), 'sund', { now, postings: 1000 });
});

/** Runs the blocks of a page that have a request, in one shell, and returns what they print. */
async function runPage(page: string): Promise<string> {
  const markdown = readFileSync(join(root, page), 'utf8').replaceAll('\r\n', '\n');
  const blocks = [...markdown.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  const commands = blocks.filter((block) => /\$api|\bget /.test(block)).join('\n');
  assert.ok(commands.includes('http://api.sund.localhost:8080'));
  const shell = spawn('sh', ['-ec', commands.replaceAll(':8080', `:${service.port}`)], {
    cwd: folder,
    env: { PATH: process.env['PATH'], CURL_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, errors, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
  assert.deepEqual([code, errors], [0, ''], printed);
  return printed;
}

test('the commands of README.md log in and read an account', { skip: reasonWithout('curl') }, async () => {
  assert.match(await runPage('README.md'), /"bankKid":"sund-B1001"/);
});

test('every command of the tour succeeds and shows something', { skip: reasonWithout('curl') }, async () => {
  const printed = await runPage('docs/tour.md');
  assert.doesNotMatch(printed, /^undefined$/m);
  assert.match(printed, /outcome: 'Success'/);
  for (const file of ['settlement.zip', 'document-graph.svg', 'document-table.xls', 'residents.csv', 'washer.png'])
    assert.ok(statSync(join(folder, file)).size > 100, file);
});

test(
  'the commands of docs/equipment.md enrol a computer that sends a line',
  { skip: reasonWithout('curl') },
  async () => {
    const printed = await runPage('docs/equipment.md');
    assert.match(printed, /"epoch":"3c07","through":1,"repeated":0,"held":\[\]/);
    assert.match(printed, /"stream":"samples"/);
  },
);
