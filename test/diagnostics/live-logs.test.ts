// Who can see live logs, what this process captures, and for how long.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fromMs2000 } from '../../src/lib/time/ms2000.ts';
import { permissions, tabs, type Permission } from '../../src/permissions/matrix.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import { createComputerKey } from '../support/computers.ts';
import { insertEnrolledComputer } from '../support/enrolled-computers.ts';
import { createToken, insertTestBank, insertTestResident, type ManagerOptions } from '../support/factories.ts';
import { startInstance } from '../support/instances.ts';
import { startService, type TestService } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { formatBody } from '../support/streams.ts';
import { minuteMs, testNow } from '../support/times.ts';
import { sendRaw } from '../http/support/raw-http.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

const path = '/api/v1/diagnostics/live-logs';
const me = '/api/v1/session/me';

type Event = {
  readonly timestamp: string;
  readonly level: string;
  readonly messageTemplate: string;
  readonly category: string;
  readonly statusCode?: number;
  readonly elapsedMilliseconds?: number;
  readonly bankId?: number;
  readonly fields?: Readonly<Record<string, string>>;
};

const options = { tenants: ['sund', 'fjord'], now: testNow, replicas: 2 } as const;

serviceSuite(options, ({ engine, storage, service, replicaFor, clock, manager, issueToken }) => {
  before(() =>
    service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestResident(db, 1042);
    }),
  );

  const ask = (call: CallOptions = manager, of: Pick<TestService, 'call'> = service): Promise<HttpReply> =>
    of.call('GET', path, call);
  const ownEvents = async (call?: CallOptions, of?: Pick<TestService, 'call'>): Promise<Event[]> =>
    (await ask(call, of)).json.servers[0].events;

  test('[livelogs.01, livelogs.04, livelogs.05, livelogs.06, livelogs.07, livelogs.16, livelogs.18] there are three cards, and the answer is not to be stored', async () => {
    const { status, json, headers } = await ask();
    assert.equal(status, 200);
    const { servers, ...rest } = json;
    assert.deepEqual(rest, { tenantKid: 'sund', fetchedAtUtc: '2026-06-15T09:30:00.000Z', refreshAfterSeconds: 3 });
    const cards = servers as { server: string; errorCode: string | null; events: Event[] }[];
    assert.deepEqual(
      cards.map((card) => [Object.keys(card), card.server, card.errorCode]),
      [
        ['portal-api', null],
        ['equipment-api', null],
        ['portal-web', 'live-logs-not-configured'],
      ].map((each) => [['server', 'errorCode', 'events'], ...each]),
    );
    assert.deepEqual([cards[1]?.events, cards[2]?.events], [[], []]);
    assert.equal(headers['cache-control'], 'no-store');
  });

  test('[livelogs.07] where no program of the settings serves the Equipment API, and this one does not, its card says so', async () => {
    const without = await startService(engine, {
      storage,
      tenants: [],
      clock: () => Date.UTC(2000, 0, 1) + clock.now,
      settings: { PORTAL_EQUIPMENT: 'off' },
    });
    const { server, errorCode, events } = (await ask(manager, without)).json.servers[1];
    assert.deepEqual([server, errorCode, events], ['equipment-api', 'live-logs-not-configured', []]);
    await without.stop();
  });

  test('[livelogs.01] live logs take no query', async () => {
    for (const query of ['server=portal-api', 'x', 'limit=5']) {
      const { status, json } = await service.call('GET', `${path}?${query}`, manager);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], query);
    }
  });

  test('[auth.14, livelogs.02] each missing right has its own code, in the order Tab, permission, grant', async () => {
    const without = (missing: Permission): ManagerOptions => ({
      permissions: permissions.filter((each) => each !== missing),
    });
    for (const [rights, code] of [
      [{ tabs: tabs.filter((tab) => tab !== 'Logs1') }, 'missing-logs-tab'],
      [{ tabs: [], permissions: [], grants: [] }, 'missing-logs-tab'],
      [without('Managers.Read'), 'missing-managers-read'],
      [{ permissions: [], grants: [] }, 'missing-managers-read'],
      [{ grants: [{ bankId: 1001, locationId: 0 }] }, 'missing-tenant-access'],
      [{ grants: [{ bankId: 1001, locationId: 1 }] }, 'missing-tenant-access'],
      [{ grants: [] }, 'missing-tenant-access'],
    ] as const) {
      const { status, json } = await ask({ token: await issueToken(rights) });
      assert.deepEqual([status, json.code], [403, code]);
    }
    const least: ManagerOptions = { tabs: ['Logs1'], permissions: ['Managers.Read'] };
    assert.equal((await ask({ token: await issueToken(least) })).status, 200);
    for (const call of [{}, { token: 'x'.repeat(43) }]) assert.equal((await ask(call)).status, 401);
  });

  test('[livelogs.03] where the rights of the manager cannot be read, there is no answer', async () => {
    const instance = await startInstance(service);
    const { token } = await createToken(service);
    const { status, json, headers } = await callWithoutStorage(
      service,
      () => instance.call('GET', path, { token }),
      'sessions',
    );
    assert.deepEqual([status, json.code, headers['retry-after']], [503, 'storage-unavailable', '10']);
    assert.equal((await instance.call('GET', path, { token })).status, 200);
    await instance.stop();
  });

  test('[livelogs.06, livelogs.08, livelogs.10, livelogs.15] requests are events, the newest first', async () => {
    clock.now += 60 * minuteMs;
    await service.call('GET', me, manager);
    clock.now += 1000;
    await service.call('GET', '/api/v1/banks/sund-B7777/locations', manager);
    const [newest, oldest, ...others] = await ownEvents();
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(newest, {
      level: 'Information',
      messageTemplate: '{method} {operation} ended with {statusCode} after {elapsedMilliseconds} ms',
      category: 'request',
      statusCode: 404,
    });
    // The clock stands still, but durations are measured with another one.
    for (const [event, beginMs] of [
      [newest, fromMs2000(clock.now)],
      [oldest, fromMs2000(clock.now) - 1000],
    ] as const) {
      const takenMs = Date.parse(event?.timestamp ?? '') - beginMs;
      assert.ok(takenMs >= 0 && takenMs <= (event?.elapsedMilliseconds ?? 0), `${takenMs} ms`);
    }
    assert.deepEqual(Object.keys(newest?.fields ?? {}).toSorted(), [
      'elapsedMilliseconds',
      'method',
      'operation',
      'statusCode',
    ]);
    assert.partialDeepStrictEqual(oldest, {
      statusCode: 200,
      fields: { method: 'GET', operation: 'GetCurrentManager', statusCode: '200' },
    });
    const { traceId, elapsedMilliseconds } = oldest as unknown as Record<string, unknown>;
    assert.match(String(traceId), /^[\da-f]{32}$/);
    assert.ok(Number(elapsedMilliseconds) > 0);
    assert.equal(oldest?.fields?.['elapsedMilliseconds'], String(elapsedMilliseconds));
  });

  test('[livelogs.12] banks and residents of requests are shown as bare numbers', async () => {
    clock.now += 120 * minuteMs;
    assert.equal((await service.call('GET', '/api/v1/banks/sund-B1001/users/sund-B1001-R1042', manager)).status, 200);
    clock.now += 1000;
    assert.equal((await service.call('GET', '/api/v1/banks/sund-B1001/locations', manager)).status, 200);
    clock.now += 1000;
    assert.equal((await service.call('GET', '/api/v1/banks/sund-B7777/locations', manager)).status, 404);
    assert.deepEqual(
      (await ownEvents()).map((event) => {
        const { bankId, userIds } = event as unknown as Record<string, unknown>;
        return [bankId, userIds];
      }),
      [
        [undefined, undefined],
        [1001, undefined],
        [1001, [1042]],
      ],
    );
  });

  test('[livelogs.12] a bank is read from the path, never from the query', async () => {
    clock.now += 140 * minuteMs;
    for (const target of ['/api/v1/services?filter=/x-B424242', '/api/v1/services?filter=/x-B424242-R1042'])
      assert.equal((await service.call('GET', target, manager)).status, 200);
    const events = await ownEvents();
    assert.equal(events.length, 2);
    assert.doesNotMatch(JSON.stringify(events), /bankId|userIds|424242/);
  });

  test('[livelogs.13] requests that are of no interest to a tenant do not displace other events', async () => {
    clock.now += 160 * minuteMs;
    const stranger = { host: 'nobody.example' };
    const image = '/api/v1/logos/brand/Brand.svg';
    service.dependencies.log.warn('a warning');
    const { headers } = await service.call('GET', image, {});
    const etag = String(headers.etag);
    for (let times = 0; times < 50; times += 1)
      for (const [call, status] of [
        [service.call('GET', '/livez', stranger), 200],
        [service.call('GET', '/livez', {}), 200],
        [service.call('GET', me, stranger), 400],
        [service.call('GET', '/api/v1/nowhere', manager), 404],
        [service.call('POST', '/livez', {}), 405],
        [service.call('OPTIONS', me, {}), 204],
        [service.call('GET', image, {}), 200],
        [service.call('HEAD', image, {}), 200],
        [service.call('GET', image, { headers: { 'if-none-match': etag } }), 304],
        [ask(), 200],
      ] as const)
        assert.equal((await call).status, status);
    const { port } = service;
    assert.equal((await sendRaw(port, 'no HTTP\r\n\r\n')).status, 400);
    assert.deepEqual(
      (await ownEvents()).map(({ messageTemplate, fields }) => [messageTemplate, fields]),
      [['a warning', undefined]],
    );
  });

  test('[livelogs.08] failures of operations are events, also where successes are not', async () => {
    clock.now += 210 * minuteMs;
    assert.equal((await service.call('GET', `${path}?x`, manager)).status, 400);
    assert.deepEqual(
      (await ownEvents()).map(({ statusCode, fields }) => `${fields?.['operation']} ${statusCode}`),
      ['GetLiveLogs 400'],
    );
  });

  test('[livelogs.13] requests without a login displace no event, however they end', async () => {
    clock.now += 220 * minuteMs;
    const limited = await startService(engine, {
      storage,
      tenants: [],
      clock: () => Date.UTC(2000, 0, 1) + clock.now,
      settings: { PORTAL_RATE_LIMIT: '250,250' },
    });
    limited.dependencies.log.warn('a warning');
    const statuses = new Set<number>();
    for (let times = 0; times < 60; times += 1)
      for (const [target, call] of [
        [path, {}],
        [path, { token: 'x'.repeat(43) }],
        ['/api/v1/logos/brand/nothing.svg', {}],
        ['/download', {}],
        [me, {}],
      ] as const)
        statuses.add((await limited.call('GET', target, call)).status);
    assert.deepEqual(statuses, new Set([200, 400, 401, 429]));
    assert.deepEqual(
      limited.dependencies.liveLog.list('sund').map(({ messageTemplate }) => messageTemplate),
      ['a warning'],
    );
    await limited.stop();
  });

  test('[livelogs.13] the 101st event drops the oldest', async () => {
    clock.now += 180 * minuteMs;
    for (let at = 0; at < 101; at += 1) service.dependencies.log.info({ total: at }, 'event');
    const totals = (await ownEvents()).map(({ fields }) => fields?.['total']);
    assert.deepEqual(
      totals,
      Array.from({ length: 100 }, (_, at) => String(100 - at)),
    );
  });

  test('[livelogs.13] an event is dropped only when it is too old', async () => {
    clock.now += 240 * minuteMs;
    service.dependencies.log.info('an old event');
    clock.now += 15 * minuteMs - 1;
    assert.deepEqual(
      (await ownEvents()).map(({ messageTemplate }) => messageTemplate),
      ['an old event'],
    );
    clock.now += 1;
    assert.deepEqual(await ownEvents(), []);
  });

  test('[livelogs.14] each process has events of its own, and begins without any', async () => {
    clock.now += 300 * minuteMs;
    await service.call('GET', me, manager);
    const other = replicaFor(1);
    assert.deepEqual(await ownEvents(manager, other), []);
    assert.equal((await ownEvents()).length, 1);
    await other.call('GET', me, manager);
    await other.call('GET', me, manager);
    assert.deepEqual([(await ownEvents()).length, (await ownEvents(manager, other)).length], [1, 2]);
    const restarted = await startService(engine, {
      storage,
      tenants: [],
      clock: () => Date.UTC(2000, 0, 1) + clock.now,
    });
    assert.deepEqual(await ownEvents(manager, restarted), []);
    await restarted.stop();
  });

  test('a tenant sees its own events and those without a tenant, never those of another', async () => {
    clock.now += 360 * minuteMs;
    const { token } = await createToken(service, { tenant: 'fjord' });
    const inFjord = { host: 'api.fjord.localhost', token };
    await service.call('GET', '/api/v1/banks/icons', inFjord);
    await service.call('GET', me, manager);
    clock.now += 1000;
    service.dependencies.log.warn({ tenant: 'fjord' }, 'of fjord');
    service.dependencies.log.warn('of nobody');
    const told = async (call: CallOptions): Promise<string[]> =>
      (await ownEvents(call)).map(({ messageTemplate, fields }) => fields?.['operation'] ?? messageTemplate);
    assert.deepEqual(await told(manager), ['of nobody', 'GetCurrentManager']);
    assert.deepEqual(await told(inFjord), ['of nobody', 'of fjord', 'GetBankIcons']);
  });

  test('[livelogs.08, livelogs.10, livelogs.11] arguments and errors of log lines are left out', async () => {
    clock.now += 420 * minuteMs;
    const cause = new Error('canary-cause');
    service.dependencies.log.error(
      {
        err: new Error('canary-error', { cause }),
        password: 'canary-x',
        provider: 'nominatim',
        search: 'canary y',
        country: 'SE',
        port: 80,
      },
      'a search of the geocoder failed',
    );
    service.dependencies.log.fatal(new Error('canary-fatal'));
    const { text, json } = await ask();
    assert.doesNotMatch(text, /canary/);
    const [fatal, error] = json.servers[0].events;
    assert.deepEqual(error, {
      timestamp: '2026-06-15T16:30:00.000Z',
      level: 'Error',
      messageTemplate: 'a search of the geocoder failed ({port}, {provider})',
      category: 'service',
      fields: { port: '80', provider: 'nominatim' },
    });
    assert.deepEqual([fatal.level, fatal.messageTemplate], ['Critical', 'an event without a message']);
  });

  test('[livelogs.15] libraries appear only with warnings and errors, without their text', async () => {
    clock.now += 480 * minuteMs;
    service.dependencies.log.debug('of the application');
    service.dependencies.log.info('of the application');
    service.app.log.debug('canary');
    service.app.log.info('canary');
    service.app.log.warn({ err: new Error('canary') }, 'canary of a library');
    service.app.log.error('canary of a library');
    const { text, json } = await ask();
    assert.doesNotMatch(text, /canary/);
    assert.deepEqual(
      (json.servers[0].events as Event[]).map(({ level, messageTemplate, category }) => [
        level,
        messageTemplate,
        category,
      ]),
      [
        ['Error', 'a library logged a message that is left out', 'library'],
        ['Warning', 'a library logged a message that is left out', 'library'],
        ['Information', 'of the application', 'service'],
      ],
    );
  });

  test('[livelogs.08, livelogs.15] a request that failed is a warning of its tenant, with its trace', async () => {
    clock.now += 540 * minuteMs;
    const failed = await service.call('GET', me, { host: 'api.malar.localhost', token: 'x'.repeat(43) });
    assert.equal(failed.status, 503);
    assert.deepEqual(await ownEvents(), []);
    assert.partialDeepStrictEqual(service.dependencies.liveLog.list('malar').at(-1), {
      level: 'Warning',
      messageTemplate: 'the request failed: {code}',
      category: 'request',
      statusCode: 503,
      traceId: failed.json.traceId,
      fields: { code: 'storage-unavailable' },
    });
  });

  const equipmentEvents = async (call?: CallOptions): Promise<Event[]> => (await ask(call)).json.servers[1].events;

  test('[livelogs.08, livelogs.12] what is refused to a computer is an event of equipment-api that names the computer', async () => {
    clock.now += 600 * minuteMs;
    const token = await service.write('sund', (db) => insertEnrolledComputer(db, { computerId: 7 }));
    const send = (first: number): Promise<HttpReply> =>
      service.call('POST', '/equipment/v1/streams/money', {
        token,
        headers: { 'content-type': 'application/jsonl' },
        rawBody: formatBody([{ t: 'alive', at: '2026-06-15T19:29:00Z' }], { first, sentAt: '2026-06-15T19:30:00Z' }),
      });
    assert.equal((await send(1)).status, 200);
    const refused = await send(5);
    assert.equal(refused.status, 409, refused.text);
    const { token: tokenOfFjord } = await createToken(service, { tenant: 'fjord' });
    const [event, ...others] = await equipmentEvents();
    assert.deepEqual(others, []);
    const { elapsedMilliseconds, timestamp: _timestamp, ...facts } = event ?? assert.fail();
    assert.deepEqual(facts, {
      level: 'Information',
      messageTemplate: '{method} {operation} of {computer} ended with {statusCode} after {elapsedMilliseconds} ms',
      category: 'request',
      statusCode: 409,
      bankId: 1001,
      traceId: refused.json.traceId,
      fields: {
        statusCode: '409',
        elapsedMilliseconds: String(elapsedMilliseconds),
        method: 'POST',
        operation: 'SendStreamLines',
        computer: 'sund-B1001-C7',
      },
    });
    assert.deepEqual(await ownEvents(), []);
    assert.deepEqual(await equipmentEvents({ host: 'api.fjord.localhost', token: tokenOfFjord }), []);
  });

  test('[livelogs.13] requests of computers displace no event of portal-api, and successful ones and those without a valid key none at all', async () => {
    clock.now += 660 * minuteMs;
    const token = await service.write('sund', (db) => insertEnrolledComputer(db, { computerId: 8 }));
    service.dependencies.log.warn('a warning');
    const equipment = '/equipment/v1';
    const use = { unit: 'sund-B1001-L1-U1', key: '04A21B33' };
    const refusedBefore = await service.call('GET', `${equipment}/desired?x`, { token });
    assert.equal(refusedBefore.status, 400);
    const unknownCode = { code: '7K3M-9XQP-2RTW-HJ4D', serial: '1', software: '1' };
    assert.equal((await service.call('POST', `${equipment}/enrol`, { body: unknownCode })).status, 403);
    for (let times = 0; times < 35; times += 1)
      for (const [call, status] of [
        [service.call('GET', `${equipment}/streams`, { token }), 200],
        [service.call('GET', `${equipment}/desired?after=0`, { token }), 200],
        [service.call('GET', `${equipment}/snapshot`, { token }), 200],
        [service.call('POST', `${equipment}/authorise`, { token, body: use }), 200],
        [service.call('GET', `${equipment}/streams`, {}), 401],
        [service.call('GET', `${equipment}/streams`, { token: createComputerKey() }), 401],
        [service.call('GET', `${equipment}/streams`, manager), 401],
        [service.call('GET', `${equipment}/nothing`, { token }), 404],
      ] as const) {
        const reply = await call;
        assert.equal(reply.status, status, reply.text);
      }
    assert.deepEqual(
      (await equipmentEvents()).map(({ statusCode, fields }) => `${fields?.['operation']} ${statusCode}`),
      ['GetDesired 400'],
    );
    for (let times = 0; times < 101; times += 1)
      assert.equal((await service.call('GET', `${equipment}/streams?x`, { token })).status, 400);
    assert.deepEqual(
      new Set((await equipmentEvents()).map(({ fields }) => fields?.['operation'])),
      new Set(['GetStreams']),
    );
    assert.deepEqual(
      (await ownEvents()).map(({ messageTemplate }) => messageTemplate),
      ['a warning'],
    );
  });

  test('[livelogs.08] a request to the Equipment API that fails is an event of equipment-api, whoever sent it', async () => {
    clock.now += 720 * minuteMs;
    const failed = await service.call('GET', '/equipment/v1/streams', {
      host: 'api.malar.localhost',
      token: createComputerKey(),
    });
    assert.equal(failed.status, 503);
    const { equipmentLiveLog, liveLog } = service.dependencies;
    assert.deepEqual(
      equipmentLiveLog.list('malar').map(({ level, statusCode, traceId }) => [level, statusCode, traceId]),
      [
        ['Information', 503, failed.json.traceId],
        ['Warning', 503, failed.json.traceId],
      ],
    );
    assert.deepEqual(liveLog.list('malar'), []);
  });
});
