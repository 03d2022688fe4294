// Live logs of other programs: what their sources answer, how they fail, and how often they are asked.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createLiveLog } from '../../src/lib/live-log/live-log.ts';
import { createLog } from '../../src/log.ts';
import { parseLiveLogSettings } from '../../src/providers/live-logs/live-log-settings.ts';
import { createLiveLogSources } from '../../src/providers/live-logs/live-log-sources.ts';
import {
  brokenUtf8,
  closeAtOnce,
  cutBody,
  drip,
  hang,
  html,
  json,
  redirectTo,
  startFakeProvider,
  status,
  text,
  tooLarge,
  type Answer,
  type FakeProvider,
} from '../support/fake-provider.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken } from '../support/factories.ts';
import { mockMonotonicClock, startInstance, type TestInstance } from '../support/instances.ts';
import { startService, type TestService } from '../support/service.ts';
import { fromMs2000 } from '../../src/lib/time/ms2000.ts';
import { minuteMs, testNow } from '../support/times.ts';

const path = '/api/v1/diagnostics/live-logs';
const at = (agoMs: number): string => new Date(fromMs2000(testNow) - agoMs).toISOString();
const event = (change: object = {}) => ({
  timestamp: at(1000),
  level: 'Warning',
  messageTemplate: 'a door did not open',
  category: 'doors',
  ...change,
});

let equipment: FakeProvider;
let web: FakeProvider;
let service: TestService;
let instance: TestInstance;
let token: string;
const folder = mkdtempSync(join(tmpdir(), 'portal-live-logs-'));

before(async () => {
  [equipment, web] = await Promise.all([startFakeProvider(), startFakeProvider()]);
  const file = join(folder, 'live-logs.json');
  const settings = {
    'equipment-api': { url: `${equipment.url}logs/{tenant}?of={tenant}`, token: 'source-token', privateNetwork: true },
    'portal-web': { url: `${web.url}{tenant}`, privateNetwork: true },
  };
  writeFileSync(file, JSON.stringify(settings));
  service = await startService('sqlite', {
    tenants: ['sund', 'fjord'],
    settings: { PORTAL_LIVE_LOGS: file },
    clock: () => fromMs2000(testNow),
  });
  ({ token } = await createToken(service));
});
after(async () => {
  await Promise.all([service.stop(), equipment.stop(), web.stop()]);
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  equipment.answerWith(json({ events: [event()] }));
  web.answerWith(json({ events: [] }));
  // A new service, whose caches are empty.
  instance = await startInstance(service);
});
afterEach(() => instance.stop());

type Card = { readonly server: string; readonly errorCode: string | null; readonly events: Record<string, unknown>[] };

const ask = (): Promise<HttpReply> => instance.call('GET', path, { token });
async function readCards(): Promise<readonly [own: Card, equipment: Card, web: Card]> {
  const { status: code, json: body, text: told } = await ask();
  assert.equal(code, 200, told);
  assert.doesNotMatch(told, /source-token/);
  return body.servers;
}

test('[livelogs.05, livelogs.06, livelogs.07] configured sources fill their cards', async () => {
  const [own, ofEquipment, ofWeb] = await readCards();
  assert.deepEqual([own.server, ofEquipment.server, ofWeb.server], ['portal-api', 'equipment-api', 'portal-web']);
  assert.deepEqual([ofEquipment.errorCode, ofWeb.errorCode, ofWeb.events], [null, null, []]);
  assert.deepEqual(ofEquipment.events, [event()]);
  assert.deepEqual([equipment.requests, web.requests], [['/logs/sund?of=sund'], ['/sund']]);
  assert.equal(equipment.headers[0]?.authorization, 'Bearer source-token');
  assert.equal(equipment.headers[0]?.accept, 'application/json');
  assert.equal(web.headers[0]?.authorization, undefined);
});

const noLiveLog: [name: string, body: unknown][] = [
  ['null', null],
  ['a list', [event()]],
  ['an object without events', {}],
  ['events that are no list', { events: {} }],
  ...(
    [
      ['an event that is no object', 'x'],
      ['no timestamp', event({ timestamp: undefined })],
      ['a timestamp without a time zone', event({ timestamp: '2026-06-15T09:30:00' })],
      ['a timestamp that is none', event({ timestamp: '2026-13-45T09:30:00Z' })],
      ['an unknown level', event({ level: 'Loud' })],
      ['no template', event({ messageTemplate: null })],
      ['a category that is a number', event({ category: 7 })],
      ['a status that is none', event({ statusCode: 7 })],
      ['a negative time', event({ elapsedMilliseconds: -1 })],
      ['a KID in place of a number', event({ bankId: 'sund-B1001' })],
      ['user ids that are no list', event({ userIds: 1042 })],
      ['a user id with a fraction', event({ userIds: [1042.5] })],
      ['a trace id that is none', event({ traceId: 'x' })],
      ['a question that is a list', event({ question: ['x'] })],
      ['fields that are a list', event({ fields: [] })],
      ['a field that is an object', event({ fields: { a: {} } })],
    ] as const
  ).map(([name, wrong]): [string, unknown] => [name, { events: [event(), wrong] }]),
];
const faults: [name: string, answer: Answer][] = [
  ['no answer', hang],
  ['an answer byte by byte', drip],
  ['a closed connection', closeAtOnce],
  ['a body that is cut off', cutBody],
  ['500', status(500)],
  ['401', status(401)],
  ['404', status(404)],
  ['HTML', html],
  ['no body', text('')],
  ['2 MiB', tooLarge],
  ['broken UTF-8', brokenUtf8],
  ['a redirect elsewhere', redirectTo('http://169.254.169.254/')],
  ...noLiveLog.map(([name, body]): [string, Answer] => [name, json(body)]),
];

for (const [name, answer] of faults)
  test(`[livelogs.07] a source that answers with ${name} is unavailable, and the other cards are intact`, async () => {
    equipment.answerWith(answer);
    web.answerWith(json({ events: [event()] }));
    const [own, ofEquipment, ofWeb] = await readCards();
    assert.deepEqual([own.errorCode, ofWeb.errorCode, ofWeb.events.length], [null, null, 1]);
    assert.deepEqual([ofEquipment.errorCode, ofEquipment.events], ['live-logs-unavailable', []]);
    assert.equal(equipment.requests.length, 1);
  });

test('[livelogs.07] an address of a private network is asked only if that is allowed', async () => {
  const sources = createLiveLogSources({
    'portal-web': { url: `${web.url}{tenant}`, token: undefined, privateNetwork: false },
  });
  const answer = await sources.get('portal-web')?.read('sund', 0);
  assert.deepEqual([answer?.ok, web.requests], [false, []]);
});

test('[livelogs.08, livelogs.09, livelogs.10] events keep all allowed members, and no others', async () => {
  const whole = event({
    statusCode: 503,
    elapsedMilliseconds: 12.5,
    bankId: 1001,
    userIds: [1042, 1043],
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    question: 'Why is <b>my</b> door closed?\nIt rains.',
    fields: { door: 'A &amp; B', note: '<script>&"\'' },
  });
  equipment.answerWith(json({ events: [{ ...whole, exception: 'canary', arguments: ['canary'] }], more: 'canary' }));
  const [, { events }] = await readCards();
  assert.deepEqual(events, [{ ...whole, fields: { door: 'A &amp; B', note: '&lt;script&gt;&amp;&quot;&#39;' } }]);
});

test('[livelogs.09] a text has at most 2000 characters, and no invalid characters', async () => {
  equipment.answerWith(
    json({
      events: [
        event({ question: '\u{1F9FA}'.repeat(2001) }),
        event({ question: 'a\u0000b\u001bc\u202ed\ne', messageTemplate: 'x'.repeat(5000), category: 'y'.repeat(500) }),
      ],
    }),
  );
  const [, { events }] = await readCards();
  assert.equal(events[0]?.['question'], '\u{1F9FA}'.repeat(2000));
  assert.equal(events[1]?.['question'], 'abcd\ne');
  assert.equal(events[1]?.['messageTemplate'], 'x'.repeat(1000));
  assert.equal(events[1]?.['category'], 'y'.repeat(100));
});

test('[livelogs.10] an invalid placeholder name is left out, and a template stays unchanged', async () => {
  const messageTemplate = 'door {door} of {secret}';
  equipment.answerWith(json({ events: [event({ messageTemplate, fields: { door: 'A', 'a b': 'x', '': 'y' } })] }));
  const [, { events }] = await readCards();
  assert.deepEqual([events[0]?.['messageTemplate'], events[0]?.['fields']], [messageTemplate, { door: 'A' }]);
});

test('[livelogs.06, livelogs.13] the newest 100 events of a source from the last 15 minutes are shown, the newest first', async () => {
  const sent = Array.from({ length: 130 }, (_, number) => event({ timestamp: at(number), bankId: number }));
  const old = [event({ timestamp: at(15 * minuteMs) }), event({ timestamp: at(16 * minuteMs) })];
  equipment.answerWith(json({ events: [...old, ...sent.slice(50), ...sent.slice(0, 50)] }));
  const [, { events }] = await readCards();
  assert.deepEqual(
    events.map(({ bankId }) => bankId),
    Array.from({ length: 100 }, (_, number) => number),
  );
  equipment.answerWith(json({ events: old }));
});

test('[livelogs.16] a source is asked once in three seconds for each tenant, for all managers, failed or not', async () => {
  const { token: other } = await createToken(service, { tenant: 'fjord' });
  for (const answer of [json({ events: [event()] }), status(500)]) {
    const fresh = await startInstance(service);
    const monotonic = mockMonotonicClock({ standsStill: true });
    try {
      equipment.answerWith(answer);
      const get = () => fresh.call('GET', path, { token });
      await Promise.all(Array.from({ length: 20 }, get));
      monotonic.advance(2999);
      await get();
      assert.equal(equipment.requests.length, 1);
      await fresh.call('GET', path, { token: other, host: 'api.fjord.localhost' });
      assert.deepEqual(equipment.requests, ['/logs/sund?of=sund', '/logs/fjord?of=fjord']);
      // Sums of the clock are rounded.
      monotonic.advance(2);
      await get();
      assert.equal(equipment.requests.length, 3);
    } finally {
      monotonic.restore();
      await fresh.stop();
    }
  }
});

test('[livelogs.02] a manager without the right is refused before any source is asked, also if events are cached', async () => {
  await readCards();
  const { token: narrow } = await createToken(service, { grants: [{ bankId: 1001, locationId: 0 }] });
  const { status: code, text: told } = await instance.call('GET', path, { token: narrow });
  assert.equal(code, 403);
  assert.doesNotMatch(told, /door/);
  assert.equal(equipment.requests.length, 1);
});

test('a source is logged when it begins to fail, without anything from its answer', async () => {
  const liveLog = createLiveLog(() => fromMs2000(testNow));
  const fresh = await startInstance(service, { log: createLog('silent', undefined, { liveLog }), liveLog });
  const monotonic = mockMonotonicClock({ standsStill: true });
  /** Requests again after the last answer has expired, and counts the warnings. */
  const warningsAfter = async (answer: Answer): Promise<number> => {
    equipment.answerWith(answer);
    monotonic.advance(3001);
    const { status: code } = await fresh.call('GET', path, { token });
    assert.deepEqual([code, equipment.requests.length], [200, 1]);
    const events = liveLog.list('sund');
    for (const { messageTemplate, level, fields } of events)
      assert.deepEqual(
        [messageTemplate, level, fields],
        ['a source of live logs failed ({server})', 'Warning', { server: 'equipment-api' }],
      );
    assert.doesNotMatch(JSON.stringify(events), /canary|source-token|127\.0\.0\.1/);
    return events.length;
  };
  try {
    assert.equal(await warningsAfter(text('canary', 500)), 1);
    assert.equal(await warningsAfter(text('canary', 500)), 1, 'it still fails');
    assert.equal(await warningsAfter(json({ events: [event()] })), 1, 'it works');
    assert.equal(await warningsAfter(text('canary', 500)), 2, 'it fails again');
  } finally {
    monotonic.restore();
    await fresh.stop();
  }
});

const good = { url: 'https://equipment.example/{tenant}' };
const wrongSettings: [name: string, settings: unknown, message: RegExp][] = [
  ['no object', [], /the file: expected an object/],
  ['an unknown program', { 'portal-api': good }, /portal-api/],
  ['no URL', { 'portal-web': {} }, /portal-web\.url/],
  ['a URL without the tenant', { 'portal-web': { url: 'https://web.example/' } }, /portal-web\.url/],
  ['the tenant in the host', { 'portal-web': { url: 'https://{tenant}.web.example/' } }, /portal-web\.url/],
  ['another placeholder', { 'portal-web': { url: 'https://web.example/{tenant}/{x}' } }, /portal-web\.url/],
  ['a user', { 'portal-web': { url: 'https://a:secret@web.example/{tenant}' } }, /portal-web\.url/],
  ['http in public', { 'portal-web': { url: 'http://web.example/{tenant}' } }, /privateNetwork/],
  ['a token with a space', { 'portal-web': { ...good, token: 'se cret' } }, /portal-web\.token/],
  ['a switch that is a text', { 'portal-web': { ...good, privateNetwork: 'yes' } }, /portal-web\.privateNetwork/],
  ['an unknown member', { 'portal-web': { ...good, extra: 1 } }, /portal-web\.extra/],
];
test('invalid settings of sources are refused by the name of the member, without its value', () => {
  for (const [name, settings, message] of wrongSettings)
    assert.throws(
      () => parseLiveLogSettings(JSON.stringify(settings)),
      (error: Error) => message.test(error.message) && !/se.?cret/.test(error.message),
      name,
    );
  assert.throws(() => parseLiveLogSettings('{"secret'), /not JSON/);
  assert.deepEqual(parseLiveLogSettings('{}'), {});
});
