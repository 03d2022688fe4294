// Bad lines and bodies: no line blocks its stream, no body is stored in part, and nothing answers 500.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { verifyInflow } from '../../src/features/inflow/commands/verify-inflow.ts';
import { grantBank } from '../support/granted-banks.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, formatBody, type TestEquipment } from '../support/streams.ts';
import { testNow } from '../support/times.ts';

/** Values of the wrong type or shape, which no text member may have. */
const wrongTexts: readonly unknown[] = [1, true, [], {}, ['a'], '\ud800', 'a\u0000b', 'x'.repeat(2000)];
const wrongTokens: readonly unknown[] = ['', 'a b', 'ø', 'x'.repeat(65), 5, {}];
const wrongTimes: readonly unknown[] = [
  '',
  'now',
  0,
  1e300,
  '2026-02-30T00:00:00Z',
  '2026-06-15',
  '2026-06-15T09:00:00',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-06-15T24:00:00Z',
  '2026-06-15T09:30:60Z',
];
const wrongAmounts: readonly unknown[] = [
  -1500,
  '',
  '-',
  '1.5',
  '1e3',
  '+1',
  ' 1',
  '01',
  '-0',
  '9223372036854775808',
  '-9223372036854775809',
  '9'.repeat(400),
  [],
  {},
  false,
];
const wrongIds: readonly unknown[] = ['0', 0, -1, 1.5, '1.5', 'x', '9007199254740993', '9'.repeat(30), [], {}, true];

const change = (name: string, values: readonly unknown[]): Record<string, unknown>[] =>
  values.map((value) => ({ [name]: value }));

/** Members that make a valid use a line that is held. */
const moneyChanges: readonly Record<string, unknown>[] = [
  ...change('t', ['', 'uses', 'state', 'constructor', '__proto__', 5, null, [], undefined]),
  ...change('unit', [
    ...wrongTexts,
    '',
    'nowhere',
    'sund-B1001-L1-U1',
    '%',
    "'; drop table postings; --",
    undefined,
    null,
  ]),
  ...change('key', [...wrongTexts, '', 'a', 'FFFF', "' or 1=1 --", '🔑🔑🔑🔑', undefined, null]),
  ...change('amountMinor', [...wrongAmounts, '1', undefined, null]),
  ...change('currency', [1, {}, [], 'SEK', 'dkk', '', 'DKK'.repeat(6), undefined]),
  ...change('document', wrongIds),
  ...change('text', wrongTexts),
  ...change('ref', wrongTokens),
  ...change('at', [...wrongTimes, undefined, null]),
  ...change('uptimeMs', [0, -1, 'x']),
  ...change('counters', [5, 'x', [], true]),
  ...change('n', ['1', null, {}]),
  { at: undefined, uptimeMs: 5 },
  { t: 'refund', amountMinor: '5' },
  { t: 'refund', refund: 'no', amountMinor: '5' },
  { t: 'booking', amountMinor: '-5' },
  { t: 'booking', from: '2026-06-16T10:00:00Z', to: '2026-06-16T09:00:00Z' },
  { t: 'booking', from: '2026-06-16T10:00:01Z', to: '2026-06-16T11:00:00Z' },
  { t: 'booking', from: '2026-06-16T10:00:00Z', to: '2027-06-16T11:00:00Z' },
  { t: 'cancel', amountMinor: undefined },
  { t: 'cancel', amountMinor: undefined, booking: 'sund-B1-E99999999999999999999' },
  { t: 'cancel', amountMinor: undefined, booking: 'sund-B1001-E1' },
  { t: 'access', amountMinor: '-1' },
  { t: 'pay', amountMinor: '-1' },
];

const samplesLines = (equipment: TestEquipment): readonly Record<string, unknown>[] => {
  const line = { at: '2026-06-15T09:00:00Z', unit: equipment.unit('1-1') };
  const state = { ...line, t: 'state', name: 'Power', value: 1 };
  return [
    ...change('t', ['use', 'constructor', 5, undefined]).map((each) => ({ ...state, ...each })),
    ...change('unit', [...wrongTexts, 'nowhere', undefined]).map((each) => ({ ...state, ...each })),
    ...change('name', [...wrongTexts, '', '__proto__', 'MaxTemperature', undefined]).map((each) => ({
      ...state,
      ...each,
    })),
    ...change('value', ['1', true, [], {}, 1e300, 0.00001, undefined]).map((each) => ({ ...state, ...each })),
    ...change('at', [...wrongTimes, undefined]).map((each) => ({ ...state, ...each })),
    ...change('values', [5, [], 'x', undefined, { Power: 'x' }, { Power: 1, no: 1 }, { ['__proto__x']: 1 }]).map(
      (each) => ({ ...line, t: 'samples', ...each }),
    ),
    ...change('document', [...wrongIds, undefined]).map((each) => ({ ...line, t: 'cycle', value: 'End', ...each })),
    ...change('value', ['Nonsense', 5, null]).map((each) => ({ ...line, t: 'cycle', document: '5', ...each })),
    ...change('value', ['x', 5.5, 9999, null, undefined]).map((each) => ({
      ...line,
      t: 'setting',
      name: 'MaxTemperature',
      ...each,
    })),
    ...change('command', ['5', 'C0', 'C-1', 'C1', 'C99999999999999999', 5, undefined]).map((each) => ({
      ...line,
      t: 'result',
      ok: true,
      ...each,
    })),
    { ...line, t: 'result', command: 'C1', ok: 'yes' },
    { ...line, t: 'applied', v: 0, ok: true },
    { ...line, t: 'applied', v: 1 },
    { ...line, t: 'applied', v: 1, snapshot: 1, ok: true },
    { ...line, t: 'applied', snapshot: -1, ok: true },
    { ...line, t: 'applied', snapshot: 1, ok: false },
  ];
};

const rawLines: readonly string[] = [
  '42',
  'null',
  '"use"',
  '[]',
  '[{"t":"use"}]',
  'true',
  `{"t":${'['.repeat(6000)}${']'.repeat(6000)}}`,
  '{"t":"use","t":"pay"}',
  '{"t":"use","amountMinor":"\\ud800"}',
  '{"__proto__":{"t":"use"}}',
  '{}',
  '{"t":"use","x":1e999}',
  `{"t":"use","x":${'9'.repeat(1000)}}`,
];

const header = '{"epoch":"e1","first":1,"sentAt":"2026-06-15T09:30:00Z"}';
const use = '{"n":1,"t":"use"}';

/** Bodies of which nothing may be stored. */
const badBodies: readonly (string | Buffer)[] = [
  '',
  '\n',
  '\n\n',
  'epoch',
  '[]',
  '42',
  'null',
  '"x"',
  '{',
  '{}',
  use,
  `${header}\nuse\n`,
  `${header}\n${use}\n{"n":2`,
  `${header}\n${use}\n\n{"n":2}`,
  `${header}\n{"n":2}\n`,
  `${header}\n${use}\n{"n":1}\n`,
  `${header}\n${use}\n{"n":3}\n`,
  `${header}\n{"n":-1}\n`,
  `${header}\n{"n":1.5}\n`,
  `${header}\n{"n":1e20}\n`,
  `${header}\n${use}\n{"n":2,"text":"${'x'.repeat(16_384)}"}\n`,
  `${header}\n${use}\n${'['.repeat(9000)}\n`,
  `${header}\n${use}\n{"a":1,}\n`,
  `${header}\n${use}\n{'a':1}\n`,
  `${header}\n${use} ${use}\n`,
  `${header}\n${use}\n\u0000\n`,
  `${header}\n${`${JSON.stringify({})}\n`.repeat(1001)}`,
  Buffer.concat([Buffer.from(`${header}\n${use}\n`), Buffer.from([0xff])]),
  Buffer.from(`${header}\n${use}\n`, 'utf16le'),
  gzipSync(`${header}\n${use}\n`),
  ...['epoch', 'first', 'sentAt'].map((name) => {
    const { [name]: _left, ...rest } = JSON.parse(header) as Record<string, unknown>;
    return `${JSON.stringify(rest)}\n${use}\n`;
  }),
  ...[
    { epoch: 5 },
    { epoch: '' },
    { epoch: 'x'.repeat(65) },
    { epoch: 'a b' },
    { epoch: null },
    { first: 0 },
    { first: -1 },
    { first: '1' },
    { first: 1.5 },
    { first: 1e300 },
    { first: null },
    { sentAt: 'x' },
    { sentAt: 5 },
    { uptimeMs: 'x' },
    { uptimeMs: -1 },
    { software: 5 },
    { software: 'x'.repeat(65) },
    { buffered: '3' },
    { buffered: 0.5 },
    { digests: [] },
    { digests: { keys: 5 } },
    { digests: { keys: 'XYZ' } },
    { digests: 'x' },
  ].map((each) => `${JSON.stringify({ ...JSON.parse(header), ...each })}\n${use}\n`),
];

serviceSuite({ now: testNow }, (suite) => {
  const { service } = suite;

  async function assertEachHeld(equipment: TestEquipment, stream: string, bodies: readonly string[]): Promise<void> {
    for (const [index, text] of bodies.entries()) {
      const body = `${JSON.stringify({ ...JSON.parse(header), first: index + 1 })}\n${text}\n`;
      const { status, json } = await equipment.sendBody(stream, body);
      assert.equal(status, 200, `${text.slice(0, 300)}: ${JSON.stringify(json)}`);
      assert.deepEqual([json.through, json.held.length], [index + 1, 1], text.slice(0, 300));
    }
    const { through, held } = await equipment.stream(stream);
    assert.deepEqual([through, held], [bodies.length, bodies.length]);
    const lines = (await equipment.heldLines()).toSorted((a, b) => a.n - b.n);
    assert.deepEqual(
      lines.map(({ line }) => line),
      bodies,
    );
    const { differences } = await service.read('sund', (db) => verifyInflow(db, grantBank(equipment.bankId)));
    assert.deepEqual(differences, []);
  }

  test('there are at least 150 bad lines and bodies', async () => {
    const equipment = await createEquipment(suite);
    const count = moneyChanges.length + samplesLines(equipment).length + rawLines.length + badBodies.length;
    assert.ok(count >= 150, String(count));
  });

  test('each bad line of money is held whole, and the next one goes on', async () => {
    const equipment = await createEquipment(suite);
    await assertEachHeld(equipment, 'money', [
      ...moneyChanges.map((each) => JSON.stringify(equipment.use(each))),
      ...rawLines,
    ]);
    assert.deepEqual(await equipment.postings(), []);
  });

  test('each bad line of samples is held whole, and the next one goes on', async () => {
    const equipment = await createEquipment(suite);
    const lines = samplesLines(equipment).map((line) => JSON.stringify(line));
    await assertEachHeld(equipment, 'samples', [...lines, ...rawLines]);
  });

  test('of a bad body nothing is stored', async () => {
    const equipment = await createEquipment(suite);
    for (const stream of ['money', 'samples'])
      for (const body of badBodies) {
        const { status, json } = await equipment.sendBody(stream, body);
        const text = body.toString().slice(0, 200);
        assert.equal(status, 400, text);
        assert.ok(['invalid-stream', 'malformed-body', 'invalid-request'].includes(json.code), `${json.code}: ${text}`);
        assert.equal((await equipment.stream(stream)).through, 0, text);
      }
    assert.deepEqual([await equipment.postings(), await equipment.heldLines()], [[], []]);
  });

  test('bodies in other media types and codings, of other methods and streams, and too long ones are refused', async () => {
    const equipment = await createEquipment(suite);
    const body = formatBody([equipment.use()], { sentAt: '2026-06-15T09:30:00Z' });
    const send = (rawBody: string | Buffer, headers: Record<string, string>, stream = 'money') =>
      equipment.sendBody(stream, rawBody, { headers });
    assert.equal((await send('{}', { 'content-type': 'application/json' })).status, 415);
    assert.equal((await send(body, { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await send(body, { 'content-encoding': 'br' })).status, 415);
    assert.equal((await send(body, { 'content-encoding': 'gzip' })).status, 400);
    assert.equal((await send(body, { 'content-encoding': 'zstd' })).status, 400);
    assert.equal((await send(body, {}, 'nothing')).status, 400);
    const long = `${header}\n${' '.repeat(1_100_000)}`;
    assert.equal((await send(long, {})).status, 413);
    for (const [coding, compress] of [
      ['gzip', gzipSync],
      ['zstd', zstdCompressSync],
    ] as const)
      assert.equal((await send(compress(long), { 'content-encoding': coding })).status, 413);
    assert.equal((await equipment.stream()).through, 0);
  });

  test('lines between bad ones are booked as ever', async () => {
    const equipment = await createEquipment(suite);
    const lines = moneyChanges.flatMap((each, index) => [equipment.use(each), equipment.use({ ref: `ok-${index}` })]);
    const numbered = lines.map(({ n: _number, ...line }) => line);
    const { status, json } = await equipment.send('money', numbered);
    assert.equal(status, 200);
    assert.equal(json.through, lines.length);
    const refs = (await equipment.moneyLines()).flatMap(({ ref }) => (ref?.startsWith('ok-') === true ? [ref] : []));
    assert.equal(refs.length, moneyChanges.length);
    await verifyBankLedger(service, equipment.bankId);
  });
});
