// The messages of the log are constants: live logs show them as they are.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const source = join(import.meta.dirname, '../../src');

/** A call of the log from information up, to its end. */
const logCall = /\blog\.(?:info|warn|error|fatal)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

test('[livelogs.11] no message of the log is put together of what is logged', () => {
  const files = globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] });
  const calls = files.flatMap((file) => readFileSync(join(source, file), 'utf8').match(logCall) ?? []);
  assert.ok(calls.length >= 10, `${calls.length} calls`);
  for (const call of calls) {
    const message = call.slice(call.lastIndexOf(call.includes('}, ') ? '}, ' : '(') + 1);
    assert.doesNotMatch(message, /`|\+|\.message|String\(/, call);
  }
});
