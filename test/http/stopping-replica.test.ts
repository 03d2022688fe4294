// A replica that stops behind a load balancer: it says that it is not ready, serves for as long as it is told, and ends
// without losing a request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../support/async.ts';
import { createToken } from '../support/factories.ts';
import { createStorage, onBothEngines, startService } from '../support/service.ts';
import { startServeProcess } from '../support/portal-process.ts';
import { startBalancer } from './support/balancer.ts';

const host = 'api.sund.localhost';
/** The balancer looks far more often, also on a busy machine. */
const delaySeconds = 6;
const clients = 8;

onBothEngines((engine) => {
  test('[replicas.04] a replica that stops behind a load balancer loses no request', async (t) => {
    const storage = await createStorage(engine);
    t.after(() => storage.release());
    const preparing = await startService(engine, { storage });
    const { token } = await createToken(preparing);
    await preparing.stop();
    const settings = {
      PORTAL_STORAGE: storage.storageUrl,
      PORTAL_STOP_DELAY: String(delaySeconds),
      // One manager sends all requests, and counts once over both.
      PORTAL_RATE_LIMIT: 'off',
    };
    const replicas = await Promise.all([startServeProcess(settings), startServeProcess(settings)]);
    for (const each of replicas) t.after(() => each.kill());
    const [leaving, staying] = replicas;
    const balancer = await startBalancer(replicas.map(({ port }) => port));
    t.after(() => balancer.stop());
    await waitUntil('both are ready', () => replicas.every(({ port }) => balancer.isReady(port)));

    const statuses = new Map<number, number>();
    const ending = new AbortController();
    const drive = async (client: number): Promise<void> => {
      for (let at = client; !ending.signal.aborted; at += 1) {
        const path = at % 2 === 0 ? '/api/v1/session/me' : '/api/v1/public/status';
        const { status } = await balancer.get(path, { host, authorization: `Bearer ${token}` });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const driven = Array.from({ length: clients }, (_, client) => drive(client));
    const countOf = ({ port }: { readonly port: number }): number => balancer.answered.get(port) ?? 0;
    await waitUntil('both have served', () => replicas.every((each) => countOf(each) > 200));

    leaving.signal('SIGTERM');
    const statusAt = async (path: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${leaving.port}${path}`)).status;
    await waitUntil('it is not ready', async () => (await statusAt('/readyz')) === 503);
    assert.equal(await statusAt('/livez'), 200, 'it still serves');
    assert.deepEqual(await leaving.ended, { code: 0, signal: null });
    const served = countOf(staying);
    await waitUntil('the other one has gone on', () => countOf(staying) > served + 200);
    ending.abort();
    await Promise.all(driven);
    assert.deepEqual(balancer.lost, []);
    assert.deepEqual([...statuses.keys()], [200]);
  });
});
