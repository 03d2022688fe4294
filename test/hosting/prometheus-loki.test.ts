// The adapter for Prometheus and Loki against a server that imitates their APIs.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { closeAtOnce, html, json, status, type Answer } from '../support/fake-provider.ts';
import { withNamesAt } from '../support/resolved-names.ts';
import { matrixOf, startFakeHosting, type FakeHosting } from './support/fake-hosting.ts';
import { failed, createTestHosting, nowMs, type ObservedHosting } from './support/create-test-hosting.ts';

const canary = 'canary-token-b82c55';

let fake: FakeHosting;
let observed: ObservedHosting;
before(async () => {
  fake = await startFakeHosting();
});
after(() => fake.stop());
beforeEach(() => {
  fake.reset();
  observed = createTestHosting(
    {
      own: {
        type: 'prometheus-loki',
        prometheus: { baseUrl: `${fake.url}prometheus`, token: canary },
        loki: { baseUrl: fake.url, tenant: 'portal' },
      },
    },
    {
      'portal-api': {
        provider: 'own',
        queries: { cpu: 'cpu{job="a b"}', memory: 'memory', bandwidth: 'sum(increase(sent[1d]))' },
        labels: { component: 'app', instance: 'pod' },
        logs: '{app="portal-api"} |= "x"',
      },
      mysql: { provider: 'own', queries: { connections: 'threads' } },
    },
  );
});

const range = '/prometheus/api/v1/query_range';

test('a query is sent unchanged in a form, and its series have the labels from the settings', async () => {
  const metric = { app: 'api', pod: 'api-7', instance: '10.0.0.9:9464', job: 'x' };
  fake.answers.set(range, json(matrixOf({ metric, values: [[nowMs / 1000, '3.5']] }, { metric: {}, values: [] })));
  assert.deepEqual(await observed.readMetric('cpu'), [
    { component: 'api', instance: 'api-7', points: [{ atMs: nowMs, value: 3.5 }] },
    { component: undefined, instance: undefined, points: [] },
  ]);
  const { method, headers, body, url } = fake.requests[0] ?? assert.fail();
  assert.deepEqual([method, url.search, headers.authorization], ['POST', '', `Bearer ${canary}`]);
  assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
  assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
    query: 'cpu{job="a b"}',
    start: String(nowMs / 1000 - 6 * 3600),
    end: String(nowMs / 1000),
    step: '60',
  });
});

test('a server whose name has a private address is asked only if the operator allows it', async () => {
  fake.answers.set(range, json(matrixOf({ metric: {}, values: [[1, '7']] })));
  const baseUrl = `http://metrics.example:${fake.port}/`;
  const read = async (privateNetwork: boolean) => {
    const server = { baseUrl: `${baseUrl}prometheus`, privateNetwork };
    const loki = { baseUrl, privateNetwork };
    const hosting = createTestHosting(
      { own: { type: 'prometheus-loki', prometheus: server, loki } },
      { 'portal-api': { provider: 'own', queries: { cpu: 'cpu' }, logs: '{app="portal-api"}' } },
    );
    await hosting.readLogs();
    return hosting.readMetric('cpu');
  };
  await withNamesAt(['127.0.0.1'], async () => {
    assert.equal(await read(false), failed);
    assert.deepEqual(fake.requests, []);
    assert.notEqual(await read(true), failed);
    assert.equal(fake.requests.length, 2);
  });
});

test('without labels in the settings an instance is not named, since its name is an address', async () => {
  const metric = { job: 'mysql', instance: '10.0.0.9:9104' };
  fake.answers.set(range, json(matrixOf({ metric, values: [[1, '7']] })));
  assert.deepEqual(await observed.readMetric('connections', 'mysql'), [
    { component: 'mysql', instance: undefined, points: [{ atMs: 1000, value: 7 }] },
  ]);
});

test('a window of a day has at most a thousand points', async () => {
  fake.answers.set(range, json(matrixOf()));
  const hosted = observed.hosting.find({ environment: 'production', application: 'portal-api' });
  await hosted?.metrics.cpu?.({ fromMs: nowMs - 86_400_000, toMs: nowMs });
  assert.equal(new URLSearchParams(fake.requests[0]?.body).get('step'), '87');
});

test('[metrics.07] bandwidth is the value of the query at the end of that day, without its fraction', async () => {
  const of = (...values: string[]): Answer =>
    json(matrixOf(...values.map((value) => ({ metric: {}, values: [[1, value]] as [number, string][] }))));
  const table: [answer: Answer, expected: string | null | typeof failed][] = [
    [of('513668'), '513668'],
    [of('513668.9991'), '513668'],
    [of('18446744073709551615'), '18446744073709551615'],
    [of('9007199254740993', '2'), '9007199254740995'],
    [of('0'), '0'],
    [of(), null],
    [of('NaN'), null],
    [of('NaN', '7'), '7'],
    [of('+Inf'), failed],
    [of('-1'), failed],
    [of('1e+30'), failed],
    [of('18446744073709551615', '1'), failed],
  ];
  for (const [answer, expected] of table) {
    fake.answers.set(range, answer);
    assert.equal(await observed.readBandwidth('2026-06-14'), expected);
  }
  const form = new URLSearchParams(fake.requests[0]?.body);
  const midnight = String(Date.parse('2026-06-15T00:00:00Z') / 1000);
  assert.deepEqual(
    [form.get('query'), form.get('start'), form.get('end')],
    ['sum(increase(sent[1d]))', midnight, midnight],
  );
});

const streams = (...result: { stream: object; values: unknown[] }[]): object => ({
  status: 'success',
  data: { resultType: 'streams', result },
});

test('lines of all streams are sorted by their nanoseconds', async () => {
  const at = (ns: number): string => `17815161${String(ns).padStart(11, '0')}`;
  fake.answers.set(
    '/loki/api/v1/query_range',
    json(
      streams(
        {
          stream: { pod: 'a' },
          values: [
            [at(4), 'four'],
            [at(2), 'two, later'],
            [at(2), 'two'],
          ],
        },
        {
          stream: { pod: 'b' },
          values: [
            [at(3), 'three'],
            [at(1), 'one'],
          ],
        },
      ),
    ),
  );
  assert.deepEqual(await observed.readLogs(), {
    lines: ['one', 'two', 'two, later', 'three', 'four'],
    truncated: false,
  });
  const { headers, url } = fake.requests[0] ?? assert.fail();
  assert.deepEqual([headers['x-scope-orgid'], headers.authorization], ['portal', undefined]);
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    query: '{app="portal-api"} |= "x"',
    limit: '101',
    start: `${nowMs - 86_400_000}000000`,
    end: `${nowMs}000000`,
    direction: 'backward',
  });
});

test('the newest hundred lines are kept, and the answer says that there are more', async () => {
  const values = Array.from({ length: 101 }, (_, line) => [String(1000 - line), `line ${1000 - line}`]);
  fake.answers.set('/loki/api/v1/query_range', json(streams({ stream: {}, values })));
  const read = await observed.readLogs();
  assert.ok(read !== failed && read.truncated);
  assert.deepEqual([read.lines.length, read.lines[0], read.lines.at(-1)], [100, 'line 901', 'line 1000']);
});

test('the query asks for exactly the wanted number of lines', async () => {
  const values = Array.from({ length: 4 }, (_, line) => [String(9 - line), `line ${9 - line}`]);
  fake.answers.set('/loki/api/v1/query_range', json(streams({ stream: {}, values })));
  const logs = observed.hosting.find({ environment: 'production', application: 'portal-api' })?.logs;
  const read = await logs?.read({ tenant: 'sund', environment: 'production', nowMs, maxLines: 3 });
  assert.deepEqual(read, { lines: ['line 7', 'line 8', 'line 9'], truncated: true });
  assert.equal(fake.requests[0]?.url.searchParams.get('limit'), '4');
});

const faults: [name: string, answer: Answer][] = [
  ['400', json({ status: 'error', errorType: 'bad_data', error: `parse error near ${canary}` }, 400)],
  ['401', status(401)],
  ['422', status(422)],
  ['503', status(503)],
  ['a closed connection', closeAtOnce],
  ['HTML', html],
  ['a vector', json({ status: 'success', data: { resultType: 'vector', result: [] } })],
  ['lines without a time', json(streams({ stream: {}, values: [['x', 'line']] }))],
  ['lines that are no texts', json(streams({ stream: {}, values: [['1', 5]] }))],
];

for (const [name, answer] of faults)
  test(`[hostlogs.10] ${name} is a failure, and is not revealed`, async () => {
    fake.answers.set('query_range', answer);
    assert.equal(await observed.readMetric('cpu'), failed);
    assert.equal(await observed.readBandwidth('2026-06-14'), failed);
    assert.equal(await observed.readLogs(), failed);
    const told = observed.logLines.join('');
    for (const secret of [canary, 'parse error', '127.0.0.1', 'portal-api} ', 'sent[1d]'])
      assert.ok(!told.includes(secret), told);
  });
