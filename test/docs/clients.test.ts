// The recipes of docs/clients.md keep every digit: each is read from the page and run against a service.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { insertTestBank } from '../support/factories.ts';
import { findProgram, reasonWithout } from '../support/programs.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { settingPath, unitIds } from '../support/unit-settings.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8').replaceAll('\r\n', '\n');

function recipeOf(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? [];
  assert.ok(code !== undefined, `the page has no recipe in ${language}`);
  return code;
}

const greatest = 2n ** 63n - 1n;
const group = '/api/v1/units/sund-B1001-L1-U1/groups/Booking';

const { service, manager, started } = serviceFixture('sqlite', { now: testNow });
before(async () => {
  await started;
  await service.write('sund', (db) => insertTestBank(db));
});

/** Writes the body, and returns the group that then has the value. */
async function writeAndRead(setting: string, rawBody: string): Promise<string> {
  const written = await service.call('PUT', settingPath(unitIds(), setting), { token: manager.token, rawBody });
  assert.equal(written.status, 200, written.text);
  return (await service.call('GET', group, manager)).text;
}

type Group = { readonly values: readonly { readonly name: string; readonly value: unknown }[] };

const valueIn = ({ values }: Group, setting: string): unknown => values.find(({ name }) => name === setting)?.value;

test('the recipe for JavaScript reads and writes amounts near 2^63 exactly, which JSON.parse would round', async () => {
  const body = `${recipeOf('js')}; return { parseExact, formatExact };`;
  // oxlint-disable-next-line no-implied-eval -- the code of our own page
  const { parseExact, formatExact } = new Function(body)() as {
    parseExact(text: string): Group;
    formatExact(value: unknown): string;
  };
  for (const [at, amount] of [greatest, greatest - 1n, 2n ** 53n + 1n, 12n].entries()) {
    const text = await writeAndRead('BookingPrice', formatExact({ value: amount, expectedRevision: await revision() }));
    const value = valueIn(parseExact(text), 'BookingPrice');
    assert.equal(value, amount > 2n ** 53n ? amount : Number(amount));
    if (at < 3) assert.notEqual(BigInt(Number(valueIn(JSON.parse(text) as Group, 'BookingPrice'))), amount);
  }
});

/** The version of the setting that is written several times. */
async function revision(): Promise<string> {
  const { json } = await service.call('GET', group, manager);
  return json.values.find(({ name }: { name: string }) => name === 'BookingPrice').revision;
}

test(
  'the recipe for Python reads and writes amounts near 2^63 exactly',
  { skip: reasonWithout('python3') },
  async () => {
    const python = (program: string, input: string): string =>
      execFileSync(findProgram('python3') ?? '', ['-c', `${recipeOf('python')}\n${program}`], {
        input,
        encoding: 'utf8',
      });
    const body = python('print(format_exact({"value": 2**63 - 1, "expectedRevision": "0"}))', '');
    const text = await writeAndRead('BookingCancelFee', body);
    const read = 'import sys\nvalues = parse_exact(sys.stdin.read())["values"]';
    const printed = python(
      `${read}\nprint([each["value"] for each in values if each["name"] == "BookingCancelFee"][0])`,
      text,
    );
    assert.equal(BigInt(printed), greatest);
  },
);
