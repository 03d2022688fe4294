// Events of an import: its state and counts while it is applied, until nothing is being done with it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { createImportJobs } from '../../src/features/imports/process/import-jobs.ts';
import { importsRoutes } from '../../src/features/imports/routes.ts';
import { waitUntil } from '../support/async.ts';
import { sundHost, type HttpReply } from '../support/call.ts';
import { insertTestBank } from '../support/factories.ts';
import { applyPlan, csvOf, importPath, planFile, undoApplied } from '../support/imports.ts';
import { startOperations } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

serviceSuite({ now: testNow }, ({ service, manager, issueToken, clock }) => {
  before(() => service.write('sund', (db) => insertTestBank(db)));
  const fileOf = (from: number, count: number): string =>
    csvOf(['key', 'name'], ...Array.from({ length: count }, (_, at) => [`t${from + at}`, `Demo ${from + at}`]));
  const plan = (from: number, count: number) =>
    planFile(service, fileOf(from, count), { ...manager, kind: 'residents', bankId: 1001 });
  const eventsOf = (text: string): HttpReply['json'][] =>
    Array.from(text.matchAll(/^event: import\ndata: (.*)\n\n/gm), ([, data = '']) => JSON.parse(data));
  const path = ({ kid }: { readonly kid: string }): string => `${importPath(kid)}/events`;
  /** Another process without a worker of its own, with other limits. */
  async function startStreams(heartbeatMs = 60_000, lifetimeMs = 60_000) {
    const { databases, config, log } = service.dependencies;
    const jobs = createImportJobs({ databases, tenants: config.tenants, clock: () => clock.now, log });
    const stopping = new AbortController();
    const eventStreamLimits = { heartbeatMs, lifetimeMs };
    const routes = importsRoutes({ databases, jobs, eventStreamLimits, stopping: stopping.signal });
    const instance = await startOperations(service, routes);
    const { port } = instance.app.server.address() as AddressInfo;
    const open = async (imported: { readonly kid: string }) => {
      const headers = { host: sundHost, authorization: `Bearer ${manager.token}`, 'accept-encoding': 'gzip' };
      const outgoing = request({ host: '127.0.0.1', port, path: path(imported), agent: false, headers });
      outgoing.end();
      const [incoming] = await once(outgoing, 'response');
      const stream = { headers: incoming.headers, text: '', hasEnded: false };
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (stream.text += chunk));
      incoming.on('end', () => (stream.hasEnded = true));
      incoming.on('error', () => {});
      return stream;
    };
    return { open, stopStreams: () => stopping.abort(), stop: () => instance.stop() };
  }
  /** As if a process that has ended had been at work. */
  const pretend = ({ kid }: { readonly kid: string }, changes: object): Promise<unknown> =>
    service.write('sund', (db) =>
      db
        .updateTable('imports')
        .set({ ...changes, lease_until: clock.now + 3_600_000, worker: 'other' })
        .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
        .where('import_id', '=', Number(kid.slice('sund-F'.length)))
        .execute(),
    );

  test('an import that nothing is done with has one event, and the stream ends', async () => {
    const planned = await plan(1, 2);
    const reply = await service.call('GET', path(planned), manager);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'text/event-stream');
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.match(reply.text, /^retry: 5000\n\nevent: import\n/);
    assert.deepEqual(eventsOf(reply.text), [(await service.call('GET', importPath(planned.kid), manager)).json]);
    const applied = await applyPlan(service, planned, manager);
    const [event] = eventsOf((await service.call('GET', path(planned), manager)).text);
    assert.deepEqual([event.state, event.outcomes.applied], ['applied', 2]);
    await undoApplied(service, applied, manager);
  });

  test('an import that is applied is followed to its end: each event has more than the one before', async () => {
    const planned = await plan(100, 1500);
    const body = { expectedRevision: planned.revision, allowPartial: true };
    const approved = await service.call('POST', `${importPath(planned.kid)}/apply`, { ...manager, body });
    assert.equal(approved.status, 202, approved.text);
    const events = eventsOf((await service.call('GET', path(planned), manager)).text);
    const last = events.at(-1);
    assert.deepEqual([last.state, last.outcomes.applied], ['applied', 1500]);
    const counts = events.map(({ outcomes }) => outcomes.applied as number);
    assert.deepEqual(
      counts,
      counts.toSorted((one, other) => one - other),
    );
    assert.equal(new Set(events.map(({ revision }) => revision)).size, events.length);
  });

  test('changes come when they are made, with heartbeats between them', async () => {
    const planned = await plan(5000, 3);
    await pretend(planned, { state: 'applying' });
    const { open, stop } = await startStreams(100);
    const stream = await open(planned);
    assert.equal(stream.headers['content-encoding'], undefined, 'what is compressed waits for more');
    await waitUntil('a heartbeat', () => stream.text.includes('\n\n: \n\n'));
    await pretend(planned, { applied: 2, done_through: 2 });
    await waitUntil('the second event', () => eventsOf(stream.text).length === 2);
    assert.equal(stream.hasEnded, false);
    await pretend(planned, { applied: 3, state: 'applied' });
    await waitUntil('the end', () => stream.hasEnded);
    assert.deepEqual(
      eventsOf(stream.text).map(({ state, outcomes }) => `${state} ${outcomes.applied}`),
      ['applying 0', 'applying 2', 'applied 3'],
    );
    await stop();
  });

  test('a stream ends after its time, and when the service stops', async () => {
    const planned = await plan(6000, 1);
    await pretend(planned, { state: 'applying' });
    const short = await startStreams(60_000, 100);
    const ended = await short.open(planned);
    await waitUntil('the end of its time', () => ended.hasEnded);
    await short.stop();
    const long = await startStreams();
    const stream = await long.open(planned);
    assert.equal(eventsOf(stream.text).length <= 1, true);
    long.stopStreams();
    await waitUntil('the end of the service', () => stream.hasEnded);
    await long.stop();
    await pretend(planned, { state: 'cancelled' });
  });

  test('only who may import the kind follows an import; one that there is not is 404, and without storage it is 503', async () => {
    const planned = await plan(7000, 1);
    const other = { token: await issueToken({ grants: [{ bankId: 1002, locationId: 0 }] }) };
    const reader = { token: await issueToken({ permissions: ['Bank.Read', 'Location.Read', 'User.Read'] }) };
    for (const [options, status] of [
      [other, 404],
      [reader, 403],
      [{}, 401],
    ] as const)
      assert.equal((await service.call('GET', path(planned), options)).status, status);
    assert.equal((await service.call('GET', path({ kid: 'sund-F99999' }), manager)).status, 404);
    assert.equal((await service.call('GET', path({ kid: 'fjord-F1' }), manager)).json.code, 'invalid-kid');
    const reply = await callWithoutStorage(service, () => service.call('GET', path(planned), manager), 'imports');
    assert.equal(reply.status, 503, reply.text);
  });
});
