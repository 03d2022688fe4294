// The adapter for DigitalOcean against a server that imitates its API, with every fault.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { readLogText } from '../../src/providers/http-client/read-log-text.ts';
import { readWebSocket } from '../../src/providers/http-client/read-websocket.ts';
import { waitUntil } from '../support/async.ts';
import {
  brokenUtf8,
  closeAtOnce,
  cutBody,
  hang,
  html,
  json,
  redirectTo,
  status,
  text,
  type Answer,
} from '../support/fake-provider.ts';
import {
  closeFrame,
  dataFrame,
  matrixOf,
  startFakeHosting,
  textFrame,
  type FakeHosting,
} from './support/fake-hosting.ts';
import { failed, createTestHosting, nowMs, type ObservedHosting } from './support/create-test-hosting.ts';

const canary = 'canary-token-4a7d1c';
const appId = '4f6c71e2-3e90-4762-9fee-6cc4a0a9f2cf';
const databaseId = '9cc10173-e9ea-4176-9dbc-a4cee4c4ff30';

let fake: FakeHosting;
let observed: ObservedHosting;
before(async () => {
  fake = await startFakeHosting();
});
after(() => fake.stop());
beforeEach(() => {
  fake.reset();
  observed = createObserved();
});

const createObserved = (provider: object = {}): ObservedHosting =>
  createTestHosting(
    { ocean: { type: 'digitalocean', baseUrl: fake.url, token: canary, logHosts: ['127.0.0.1'], ...provider } },
    {
      'portal-api': { provider: 'ocean', appId, component: 'api' },
      'portal-web': { provider: 'ocean', appId },
      mysql: { provider: 'ocean', databaseId, service: 'mysql-primary' },
    },
  );

const logs = `/v2/apps/${appId}/components/api/logs`;
const bandwidth = `/v2/apps/${appId}/metrics/bandwidth_daily`;
const seconds = String(nowMs / 1000);

test('metrics of an application are requested with the token, in UNIX seconds', async () => {
  const metric = { app_component: 'api', app_component_instance: 'api-0', app_uuid: appId };
  const values: [number, string][] = [
    [1_634_052_360, '5.016600450090265357'],
    [1_634_052_480, 'NaN'],
  ];
  const names = { cpu: 'cpu_percentage', memory: 'memory_percentage', restarts: 'restart_count' } as const;
  for (const [name, path] of Object.entries(names)) {
    fake.answers.set(`/v2/monitoring/metrics/apps/${path}`, json(matrixOf({ metric, values })));
    assert.deepEqual(await observed.readMetric(name as 'cpu'), [
      {
        component: 'api',
        instance: 'api-0',
        points: [
          { atMs: 1_634_052_360_000, value: 5.016600450090265 },
          { atMs: 1_634_052_480_000, value: null },
        ],
      },
    ]);
    const { url, headers, method } = fake.requests.at(-1) ?? assert.fail();
    const start = String(nowMs / 1000 - 6 * 3600);
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      app_id: appId,
      app_component: 'api',
      start,
      end: seconds,
    });
    assert.deepEqual([method, headers.authorization], ['GET', `Bearer ${canary}`]);
  }
});

test('[metrics.06] metrics of the database are averages of the cluster', async () => {
  const names = { cpu: 'cpu_usage', memory: 'memory_usage', disk: 'disk_usage', connections: 'threads_connected' };
  for (const [name, path] of Object.entries(names)) {
    fake.answers.set(
      `/v2/monitoring/metrics/database/mysql/${path}`,
      json(matrixOf({ metric: {}, values: [[1, '7']] })),
    );
    assert.deepEqual(await observed.readMetric(name as 'cpu', 'mysql'), [
      { component: undefined, instance: undefined, points: [{ atMs: 1000, value: 7 }] },
    ]);
    const { searchParams } = fake.requests.at(-1)?.url ?? assert.fail();
    assert.equal(searchParams.get('db_id'), databaseId);
    const isCount = name === 'connections';
    assert.equal(searchParams.get('aggregate'), isCount ? null : 'avg');
    assert.equal(searchParams.get('service'), isCount ? 'mysql-primary' : null);
  }
});

test('[metrics.07, metrics.08] bandwidth is that of the requested day, exact over 64 bits', async () => {
  const answer = (bytes: unknown, date = '2026-06-14T00:00:00Z', id = appId): Answer =>
    json({
      app_bandwidth_usage: [
        { app_id: 'another', bandwidth_bytes: '1' },
        { app_id: id, bandwidth_bytes: bytes },
      ],
      date,
    });
  const table: [answer: Answer, expected: string | null | typeof failed][] = [
    [answer('513668'), '513668'],
    [answer('0'), '0'],
    [answer('18446744073709551615'), '18446744073709551615'],
    [answer('9007199254740993'), '9007199254740993'],
    [answer('1', undefined, 'somebody-else'), null],
    [json({ app_bandwidth_usage: [], date: '2026-06-14T00:00:00Z' }), null],
    [answer('18446744073709551616'), failed],
    [answer('-1'), failed],
    [answer('1.5'), failed],
    [answer('1e9'), failed],
    [answer(''), failed],
    [answer(513_668), failed],
    [answer('1', '2026-06-13T00:00:00Z'), failed],
    [json({ app_bandwidth_usage: [] }), failed],
    [json({ date: '2026-06-14T00:00:00Z' }), failed],
  ];
  for (const [each, expected] of table) {
    fake.answers.set(bandwidth, each);
    assert.equal(await observed.readBandwidth('2026-06-14'), expected);
    assert.equal(fake.requests.at(-1)?.url.search, '?date=2026-06-14T00%3A00%3A00Z');
  }
});

const faults: [name: string, answer: Answer][] = [
  ['401', json({ id: 'unauthorized', message: `the token ${canary} is none` }, 401)],
  ['403', status(403)],
  ['404', status(404)],
  ['429', status(429)],
  ['500', status(500)],
  ['a closed connection', closeAtOnce],
  ['a body that is cut off', cutBody],
  ['a body of 5 MiB', json([' '.repeat(5 * 1024 * 1024)])],
  ['HTML', html],
  ['broken UTF-8', brokenUtf8],
  ['NaN', text('NaN')],
  ['another shape', json([{ status: 'error', error: canary }])],
  ['a redirect to a link-local address', redirectTo('http://169.254.169.254/latest/')],
  ['a redirect to itself', redirectTo('/elsewhere')],
];

for (const [name, answer] of faults)
  test(`[hostlogs.10] ${name} is a failure of each source, is requested once, and is not revealed`, async () => {
    for (const path of ['cpu_percentage', 'bandwidth_daily', 'logs', 'disk_usage']) fake.answers.set(path, answer);
    assert.equal(await observed.readMetric('cpu'), failed);
    assert.equal(await observed.readMetric('disk', 'mysql'), failed);
    assert.equal(await observed.readBandwidth('2026-06-14'), failed);
    assert.equal(await observed.readLogs(), failed);
    assert.equal(fake.requests.length, 4);
    assert.equal(observed.logLines.length, 4);
    const told = observed.logLines.join('');
    for (const secret of [canary, appId, databaseId, '127.0.0.1', '169.254']) assert.ok(!told.includes(secret), told);
    for (const line of observed.logLines) assert.equal(JSON.parse(line).level, 40, line);
  });

test('[hostlogs.09] only runtime logs are requested, and the text of a signed URL is read without the token', async () => {
  const lines = ['api 2026-06-15T09:29:00Z one', 'api 2026-06-15T09:29:01Z \u001B[31mtwo\u001B[0m <b>'];
  fake.answers.set(logs, json({ historic_urls: [`${fake.url}signed/text?signature=abc`], extra: 1 }));
  fake.answers.set('/signed/text', text(`${lines.join('\n')}\n`, 200, 'text/plain'));
  assert.deepEqual(await observed.readLogs(), { ok: true, lines, truncated: false });
  const [first, second] = fake.requests;
  assert.deepEqual(Object.fromEntries(first?.url.searchParams ?? []), {
    type: 'RUN',
    follow: 'false',
    tail_lines: '100',
    pod_connection_timeout: '5s',
  });
  assert.equal(first?.headers.authorization, `Bearer ${canary}`);
  assert.equal(second?.url.search, '?signature=abc');
  assert.ok(!JSON.stringify(second?.headers).includes(canary));
});

test('logs of a whole application have a path of their own', async () => {
  fake.answers.set(`/v2/apps/${appId}/logs`, json({}));
  assert.deepEqual(await observed.readLogs('portal-web'), { lines: [], truncated: false });
});

test('without a URL there are no lines', async () => {
  for (const body of [
    {},
    { historic_urls: [] },
    { live_url: '', historic_urls: null },
    { historic_logs: ['x'], url: 'x' },
  ]) {
    fake.answers.set(logs, json(body));
    assert.deepEqual(await observed.readLogs(), { lines: [], truncated: false });
  }
});

const live = (): void => void fake.answers.set(logs, json({ live_url: `${fake.url}live?token=signed` }));

test('the messages of a live URL are read over a WebSocket, with the token of the URL and not with ours', async () => {
  live();
  fake.onSocket = (socket) => {
    // A ping, a message in two frames, a message of another kind, and the end.
    socket.write(Buffer.from([0x89, 0x01, 0x21]));
    const frame = dataFrame('api one\napi two\napi th');
    const cut = 10;
    socket.write(Buffer.concat([Buffer.from([0x01, cut]), frame.subarray(2, 2 + cut)]));
    socket.write(Buffer.concat([Buffer.from([0x80, frame.length - 2 - cut]), frame.subarray(2 + cut)]));
    socket.write(Buffer.concat([textFrame('no JSON'), textFrame('{"other":1}'), dataFrame('ree\n')]));
    socket.end(closeFrame);
  };
  assert.deepEqual(await observed.readLogs(), { lines: ['api one', 'api two', 'api three'], truncated: false });
  const [, upgrade] = fake.requests;
  assert.equal(upgrade?.url.search, '?token=signed');
  assert.ok(!JSON.stringify(upgrade?.headers).includes(canary));
});

test('reading a live URL that never ends or falls silent stops with the lines so far', async () => {
  live();
  fake.onSocket = (socket) => {
    let at = 0;
    const timer = setInterval(() => socket.write(dataFrame(`line ${(at += 1)}\n`)), 20);
    socket.on('close', () => clearInterval(timer));
  };
  const going = await observed.readLogs();
  assert.ok(going !== failed && going.lines[0] === 'line 1' && going.lines.length > 10);
  fake.onSocket = (socket) => void socket.write(dataFrame('only\n'));
  assert.deepEqual(await observed.readLogs(), { lines: ['only'], truncated: false });
});

test('[hostlogs.05] the last 256 KiB of a long text are kept, and at most 4 MiB are read', async () => {
  const line = 'x'.repeat(1023);
  const body = Array.from({ length: 2048 }, (_, at) => `${at}${line}`.slice(0, 1023)).join('\n');
  fake.answers.set(logs, json({ historic_urls: [`${fake.url}signed/text`] }));
  fake.answers.set('/signed/text', text(body, 200, 'text/plain'));
  const read = await observed.readLogs();
  assert.ok(read !== failed && read.truncated);
  assert.match(read.lines.at(-1) ?? '', /^2047x+$/);
  assert.ok(Buffer.byteLength(read.lines.join('\n')) <= 256 * 1024);
  // Nothing is sent after them: a reader that wants more waits for it, until its eight seconds are over.
  fake.answers.set('/signed/text', (_request, response) => {
    response.writeHead(200).write(Buffer.alloc(4 * 1024 * 1024 + 1, `${'y'.repeat(63)}\n`));
  });
  const startedMs = performance.now();
  const endless = await observed.readLogs();
  assert.ok(endless !== failed && endless.truncated && endless.lines.length > 0);
  assert.ok(performance.now() - startedMs < 7000);
  live();
  fake.onSocket = (socket) => {
    const send = (): void => {
      if (!socket.destroyed && socket.write(dataFrame(`${'z'.repeat(65_535)}\n`))) setImmediate(send);
      else socket.once('drain', send);
    };
    send();
  };
  const flood = await observed.readLogs();
  assert.ok(flood !== failed && flood.truncated);
  // Messages without lines count too.
  fake.onSocket = (socket) => {
    socket.write(Buffer.concat([dataFrame('only\n'), ...Array.from({ length: 65 }, () => other)]));
  };
  const other = textFrame('x'.repeat(65_536));
  assert.deepEqual(await observed.readLogs(), { lines: ['only'], truncated: true });
});

test('reading a text ends at its limit, without waiting for further bytes', async () => {
  const options = { userAgent: 'test', allowsPrivateAddresses: true, maxBytes: 1000, maxReadBytes: 2000 };
  const read = async (sentBytes: number, timeoutMs: number): Promise<boolean> => {
    fake.answers.set('/text', (_request, response) => void response.writeHead(200).write(Buffer.alloc(sentBytes, 'x')));
    const startedMs = performance.now();
    assert.ok((await readLogText(new URL(`${fake.url}text`), { ...options, timeoutMs })).ok);
    return performance.now() - startedMs < timeoutMs - 10;
  };
  assert.equal(await read(2001, 5000), true);
  assert.equal(await read(2000, 300), false);
});

const socketOptions = {
  userAgent: 'test',
  allowsPrivateAddresses: true,
  timeoutMs: 5000,
  silenceMs: 5000,
  listenMs: 5000,
  maxMessageBytes: 1_000_000,
  maxReadBytes: 1_000_000,
  onMessage: () => {},
};

test('a live URL that says nothing is closed when its time is up', async () => {
  let isClosed = false;
  fake.onSocket = (socket) => void socket.resume().once('end', () => (isClosed = true));
  const answer = await readWebSocket(new URL(`${fake.url}live`), { ...socketOptions, timeoutMs: 200 });
  assert.deepEqual(answer, { ok: true, isCut: false });
  await waitUntil('the socket to be closed', () => isClosed, 5000);
});

test('everything that a live URL sends counts, also frames without content', async () => {
  const head = textFrame('').fill(0x01, 0, 1);
  const table: [frames: number, isCut: boolean][] = [
    [500, false],
    [501, true],
  ];
  for (const [frames, isCut] of table) {
    fake.onSocket = (socket) => void socket.write(Buffer.concat([head, Buffer.alloc(2 * (frames - 1))]));
    const options = { ...socketOptions, timeoutMs: isCut ? 5000 : 300, maxReadBytes: 1000 };
    assert.deepEqual(await readWebSocket(new URL(`${fake.url}live`), options), { ok: true, isCut });
  }
});

test('a message in very many small frames is assembled in time', async () => {
  const parts = 150_000;
  fake.onSocket = (socket) => {
    const part = Buffer.from([0x00, 0x01, 0x78]);
    socket.write(Buffer.concat([textFrame('').fill(0x01, 0, 1), ...Array.from({ length: parts }, () => part)]));
    socket.end(Buffer.concat([Buffer.from([0x80, 0x00]), closeFrame]));
  };
  const lengths: number[] = [];
  await readWebSocket(new URL(`${fake.url}live`), {
    ...socketOptions,
    onMessage: ({ length }) => void lengths.push(length),
  });
  assert.deepEqual(lengths, [parts]);
});

const socketFaults: [name: string, onSocket: FakeHosting['onSocket']][] = [
  ['a masked frame', (socket) => void socket.write(Buffer.from([0x81, 0x80, 0, 0, 0, 0]))],
  ['a message that is too large', (socket) => void socket.write(Buffer.from([0x81, 0x7f, 0, 0, 0, 1, 0, 0, 0, 0]))],
  ['an unknown frame', (socket) => void socket.write(Buffer.from([0x83, 0]))],
];

for (const [name, onSocket] of socketFaults)
  test(`${name} on a live URL is a failure`, async () => {
    live();
    fake.onSocket = onSocket;
    assert.equal(await observed.readLogs(), failed);
  });

test('faults of a signed URL are failures', async () => {
  for (const [name, answer] of faults.filter(
    ([each]) => !['HTML', 'broken UTF-8', 'NaN', 'another shape', 'a body of 5 MiB'].includes(each),
  )) {
    fake.answers.set(logs, json({ historic_urls: [`${fake.url}signed/text`] }));
    fake.answers.set('/signed/text', answer);
    assert.equal(await observed.readLogs(), failed, name);
    fake.answers.set(logs, json({ live_url: `${fake.url}signed/text` }));
    assert.equal(await observed.readLogs(), failed, `${name} in place of a WebSocket`);
  }
});

test('a signed URL is followed only to listed hosts over a secure protocol', async () => {
  const { port } = fake;
  const urls = [
    `http://localhost:${port}/signed/text`,
    `http://127.0.0.1.example:${port}/signed/text`,
    `http://[::1]:${port}/signed/text`,
    'http://169.254.169.254/latest/meta-data/',
    `http://user:pass@127.0.0.1:${port}/signed/text`,
    'file:///etc/passwd',
    `ftp://127.0.0.1:${port}/`,
    'not a URL',
  ];
  for (const url of urls)
    for (const body of [{ historic_urls: [url] }, { live_url: url }]) {
      fake.answers.set(logs, json(body));
      assert.equal(await observed.readLogs(), failed, url);
    }
  assert.equal(fake.count('/signed/text'), 0);
});

test('the adapter never connects to a private address under any name, unless that is allowed', async () => {
  const common = { userAgent: 'test', allowsPrivateAddresses: false, timeoutMs: 2000 };
  const forText = { ...common, maxBytes: 1000, maxReadBytes: 1000 };
  const forSocket = {
    ...common,
    silenceMs: 100,
    listenMs: 100,
    maxMessageBytes: 1000,
    maxReadBytes: 1000,
    onMessage: () => {},
  };
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.1']) {
    const answers = [
      await readLogText(new URL(`http://${host}:${fake.port}/`), forText),
      await readWebSocket(new URL(`ws://${host}:${fake.port}/`), forSocket),
    ];
    for (const answer of answers)
      assert.ok(!answer.ok && answer.failure === 'PermanentFailure' && answer.reason.includes('private address'), host);
  }
  assert.deepEqual(fake.requests, []);
});

test('a text that comes too slowly is used as far as it came; if nothing came, it is a failure', async () => {
  const options = {
    userAgent: 'test',
    allowsPrivateAddresses: true,
    timeoutMs: 500,
    maxBytes: 1000,
    maxReadBytes: 1000,
  };
  fake.answers.set('/slow', (_request, response) => void response.writeHead(200).write('first\nsecond\nthi'));
  fake.answers.set('/hang', hang);
  assert.deepEqual(await readLogText(new URL(`${fake.url}slow`), options), {
    ok: true,
    lines: ['first', 'second', 'thi'],
    truncated: true,
  });
  const nothing = await readLogText(new URL(`${fake.url}hang`), options);
  assert.ok(!nothing.ok && nothing.failure === 'TransientFailure');
});

test('a provider that never answers has failed after eight seconds', async () => {
  for (const path of ['cpu_percentage', 'bandwidth_daily', 'logs']) fake.answers.set(path, hang);
  const startedMs = performance.now();
  const found = await Promise.all([
    observed.readMetric('cpu'),
    observed.readBandwidth('2026-06-14'),
    observed.readLogs(),
  ]);
  assert.deepEqual(found, [failed, failed, failed]);
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs > 7900 && tookMs < 30_000, `${tookMs}`);
});

test('the rate limit of requests covers all resources of the provider', async () => {
  const slow = createObserved({ requestsPerMinute: 1 });
  fake.answers.set('_percentage', json(matrixOf()));
  assert.deepEqual(await slow.readMetric('cpu'), []);
  assert.equal(await slow.readMetric('memory'), failed);
  assert.equal(await slow.readMetric('disk', 'mysql'), failed);
  assert.equal(fake.requests.length, 1);
  assert.match(slow.logLines.join(''), /request rate of the provider is used up/);
});
