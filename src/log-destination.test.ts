// The log of a process: every line of one that ends, and no hold on one whose log nobody reads, or has no room.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { waitUntil } from '../test/support/async.ts';
import { createLogDestination } from './log-destination.ts';
import { createRecentLogLines } from './recent-log-lines.ts';

const log = JSON.stringify(import.meta.resolve('./log.ts'));

/** Runs a module that has a log, and ends it when it does not end. */
function runLogging(code: string, stdout: 'pipe' | number = 'pipe') {
  const source = `import { createLog } from ${log}; const log = createLog('info'); ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', stdout, 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  return { child, ended: once(child, 'exit'), stderr: text(child.stderr ?? process.stdin) };
}

test('all lines are written before the process ends, in their order', async () => {
  const { child, ended } = runLogging(`
    for (let at = 0; at < 5000; at += 1) {
      log.info({ at }, 'line');
      if (at % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    process.exit();`);
  assert.ok(child.stdout);
  const lines = (await text(child.stdout)).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { at: number }).at),
    Array.from({ length: 5000 }, (_, index) => index),
  );
  assert.deepEqual(await ended, [0, null]);
});

const goOnLogging = `
  for (let at = 0; at < 50; at += 1) {
    log.info({ at }, 'x'.repeat(5000));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  log.info('the end');
  process.exit(7);`;

test('a process whose log nobody reads any more goes on, and ends when it wants to', async () => {
  const { child, ended, stderr } = runLogging(goOnLogging);
  assert.ok(child.stdout);
  child.stdout.destroy();
  assert.deepEqual([await ended, await stderr], [[7, null], '']);
});

test('so does one whose log is on a full disk', { skip: process.platform !== 'linux' }, async () => {
  const full = openSync('/dev/full', 'w');
  const { ended, stderr } = runLogging(goOnLogging, full);
  closeSync(full);
  assert.deepEqual([await ended, await stderr], [[7, null], '']);
});

test('lines that were lost are counted, and their number is told when lines can be written again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-log-'));
  const path = join(folder, 'log');
  writeFileSync(path, '');
  const readOnly = openSync(path, 'r');
  const told: number[] = [];
  const destination = createLogDestination(readOnly, {
    lines: createRecentLogLines(),
    onRecovered: (lostLines) => told.push(lostLines),
  });
  try {
    destination.write('first\n');
    // Longer than a batch: it is tried at once.
    destination.write(`${'x'.repeat(70_000)}\n`);
    await new Promise((resolve) => setTimeout(resolve, 250));
    closeSync(readOnly);
    const writable = openSync(path, 'w');
    assert.equal(writable, readOnly, 'the number is free again');
    destination.write('third\n');
    await waitUntil('the loss is told', () => told.length > 0);
    assert.deepEqual([told, readFileSync(path, 'utf8')], [[2], 'third\n']);
    closeSync(writable);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
