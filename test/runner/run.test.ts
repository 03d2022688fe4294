// The runner on generated test files: what a newcomer and CI see of files that hang, fail or are skipped.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { debianPackages } from '../support/programs.ts';
import { root } from './test-files.ts';

interface Run {
  readonly code: number;
  readonly lines: readonly string[];
  readonly output: string;
}

/** Runs files with these bodies, each a test file of its own, in a process of its own unless told otherwise. */
async function runPlanted(
  bodies: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = {},
  ...more: string[]
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-runner-'));
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, body] of Object.entries(bodies))
    writeFileSync(join(folder, `test/${name}.test.ts`), `import { test, describe } from 'node:test';\n${body}`);
  try {
    const args = [join(root, 'test/run.ts'), '--folder', folder, '--end-timeout', '500', ...more];
    const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
    const child = spawn(process.execPath, args, { env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, ...env } });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: Number(code), lines: out.split('\n'), output: out + err };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const passing = `test('holds', () => {});`;
const programs = JSON.stringify(import.meta.resolve('../support/programs.ts'));

describe('the runner', { concurrency: 2 }, () => {
  test('tells of each file as it finishes, and closes with the counts', async () => {
    const { code, lines } = await runPlanted({
      a: passing,
      b: `${passing}\ndescribe('sqlite', () => { ${passing} });`,
    });
    assert.equal(code, 0);
    assert.deepEqual(
      lines
        .filter((line) => line.startsWith('✔'))
        .map((line) => line.replaceAll(/[ab]\.test|\d:\d\d|\d+\.\d s|\d tests/g, '_')),
      ['✔ 1/2  _  test/_.ts  _, _', '✔ 2/2  _  test/_.ts  _, _'],
    );
    assert.equal(lines.at(-2), '3 passed, 0 failed, 0 skipped');
  });

  test('tells what failed, in which suite, and why', async () => {
    const { code, output, lines } = await runPlanted({
      a: `describe('mariadb', () => { test('adds', () => { throw new Error('is not 4'); }); });`,
    });
    assert.equal(code, 1);
    assert.match(output, /^✖ test\/a\.test\.ts: mariadb > adds\n +Error: is not 4$/m);
    assert.match(output, /^✖ 1\/1 /m);
    assert.equal(lines.at(-2), '0 passed, 1 failed, 0 skipped');
  });

  test('repeats in brief what failed, right before the counts', async () => {
    const { lines } = await runPlanted({
      a: `import assert from 'node:assert/strict';
          describe('mariadb', () => {
            test('adds', () => { throw new Error('is not 4'); });
            test('lists', () => assert.deepEqual(Array(30).fill(1), Array(30).fill(2)));
          });
          ${passing}`,
      b: `test('waits', () => process.kill(process.pid, 'SIGKILL'));`,
    });
    const brief = lines.slice(lines.lastIndexOf('Failed:') + 1, -3).join('\n');
    assert.equal(brief.split('✖').length - 1, 3);
    assert.match(brief, /^ {2}✖ test\/a\.test\.ts: mariadb > adds\n {6}Error: is not 4$/m);
    assert.match(brief, /^ {2}✖ test\/a\.test\.ts: mariadb > lists\n {6}AssertionError.*\n(?: {6}.*\n){7} {6}…$/m);
    assert.match(brief, /^ {2}✖ test\/b\.test\.ts\n {6}its process ended with SIGKILL$/m);
    assert.doesNotMatch(brief, / at .*:\d/);
  });

  test('ends a file that its handles keep alive soon after its tests, and names their kinds', async () => {
    const startedAtMs = performance.now();
    const { code, output } = await runPlanted({
      a: `import net from 'node:net';
          const server = net.createServer();
          test('holds', (_t, done) => { server.listen(0, '127.0.0.1', done); });
          setInterval(() => {}, 60_000);
          setImmediate(() => {}).unref();`,
    });
    assert.ok(performance.now() - startedAtMs < 15_000);
    assert.equal(code, 1);
    assert.match(output, /a\.test\.ts is killed: its tests have finished, but it is kept alive by /);
    assert.match(output, /kept alive by .*TCPServerWrap/);
    assert.match(output, /kept alive by .*Timeout/);
    assert.match(output, /^✖ test\/a\.test\.ts\n    its process ended with SIGKILL\n✖ 1\/1/m);
    assert.doesNotMatch(output, /ended before its tests finished/);
  });

  test('tells of an error that nobody handled, and where it came from', async () => {
    const { code, output, lines } = await runPlanted({
      a: `test('starts', () => { setTimeout(function late() { void Promise.reject(new Error('too late')); }, 50); });
          test('waits', () => new Promise((resolve) => setTimeout(resolve, 300)));`,
    });
    assert.equal(code, 1);
    assert.match(output, /while a\.test\.ts ran, unhandledRejection: Error: too late\n +at .*late /);
    const brief = lines.slice(lines.lastIndexOf('Failed:') + 1, -3).join('\n');
    assert.match(brief, /its process ended with 1\n.*"Error: too late"/);
  });

  const together = ['--files-per-process', '4'];

  test('files that share a process are told of one by one, with their own tests, failures and output', async () => {
    const { code, output, lines } = await runPlanted(
      {
        a: `console.log('loaded'); describe('sqlite', () => { test('adds', () => { console.log('adding'); throw new Error('is not 4'); }); });`,
        b: `import { after, before } from 'node:test';
            let ready = false;
            before(() => { ready = true; });
            after(() => { console.log('after', process.argv.length); });
            ${passing}
            test('is ready', () => { if (!ready) throw new Error('not ready'); console.log('in', process.pid); });`,
        c: `test('counts', () => { console.log('in', process.pid); });`,
        d: `throw new Error('cannot be loaded');`,
      },
      {},
      ...together,
    );
    assert.equal(code, 1);
    assert.match(output, /^✖ test\/a\.test\.ts: sqlite > adds\n +Error: is not 4$/m);
    assert.match(output, /^✖ test\/d\.test\.ts\n +Error: cannot be loaded$/m);
    assert.match(output, /^✖ \d\/4 .* test\/a\.test\.ts  1 tests, /m);
    assert.match(output, /^✔ \d\/4 .* test\/b\.test\.ts  2 tests, /m);
    assert.match(output, /^✔ \d\/4 .* test\/c\.test\.ts  1 tests, /m);
    assert.match(output, /^✖ \d\/4 .* test\/d\.test\.ts  0 tests, /m);
    assert.match(output, /^  test\/a\.test\.ts or 3 more wrote:\nloaded\n/m);
    assert.equal(new Set([...output.matchAll(/^in (\d+)$/gm)].map(([, pid]) => pid)).size, 1);
    assert.equal(lines.at(-2), '3 passed, 1 failed, 0 skipped');
  });

  test('the files of a shared process are named that did not finish before it ended, or that something kept alive', async () => {
    const ended = await runPlanted(
      { a: passing, b: `test('waits', () => process.exit(0));`, c: passing },
      {},
      ...together,
    );
    assert.equal(ended.code, 1);
    for (const name of ['a', 'b', 'c'])
      assert.match(ended.output, new RegExp(`^✖ test/${name}\\.test\\.ts ended before its tests finished`, 'm'));
    const held = await runPlanted({ a: `setInterval(() => {}, 60_000);\n${passing}`, b: passing }, {}, ...together);
    assert.equal(held.code, 1);
    assert.match(held.output, /is killed: its tests have finished, but it is kept alive by .*Timeout/);
  });

  test('fails a file that ends before its tests, or has none', async () => {
    const { code, output } = await runPlanted({ a: `test('waits', () => process.exit(0));`, b: '' });
    assert.equal(code, 1);
    for (const name of ['a', 'b'])
      assert.match(output, new RegExp(`^✖ test/${name}\\.test\\.ts ended before its tests finished`, 'm'));
  });

  const skipping = {
    a: `import { reasonWithout } from ${programs};
        const skip = reasonWithout('chromium');
        describe('in a browser', { skip }, () => { ${passing} });
        ${passing}`,
    b: `import { reasonWithout } from ${programs};
        test('reads a file', { skip: reasonWithout('xls2csv', 'chromium') }, () => {});`,
  };

  test('passes without the programs of tests, and closes with what they would prove', async () => {
    const { code, lines } = await runPlanted(skipping, { PATH: '/nowhere' });
    assert.equal(code, 0);
    assert.deepEqual(lines.slice(lines.indexOf('Not proven by this run:'), -3), [
      'Not proven by this run:',
      '  needs chromium (package chromium)',
      '    test/a.test.ts: in a browser',
      '  needs xls2csv (package catdoc), chromium (package chromium)',
      '    test/b.test.ts: reads a file',
      'To prove it, on Debian: apt-get install catdoc chromium',
    ]);
    assert.equal(lines.at(-2), '1 passed, 0 failed, 2 skipped');
  });

  test('fails in CI where a test was skipped', async () => {
    const { code, output } = await runPlanted(skipping, { PATH: '/nowhere', CI: 'true' });
    assert.equal(code, 1);
    assert.match(output, /^✖ 2 skipped: with CI=true every test has to run$/m);
    assert.match(output, /apt-get install catdoc chromium/);
  });

  test('ends a file that touches the data of the clone', async () => {
    const { code, output } = await runPlanted({
      a: `import { existsSync } from 'node:fs';
          test('looks', () => existsSync(${JSON.stringify(join(root, 'data'))}));`,
    });
    assert.equal(code, 1);
    assert.match(output, /a test must not touch .*data, which belongs to a service that runs from this clone/);
  });
});

test('CI installs the packages of all programs', () => {
  const needed = readFileSync(join(root, '.ci/run'), 'utf8').matchAll(/^need (\S+) /gm);
  assert.deepEqual(new Set([...needed].map(([, name = '']) => name)), new Set(debianPackages));
});
