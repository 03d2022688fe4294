// `portal equipment` as a process of its own, next to the service that has the same databases.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCaller } from '../support/call.ts';
import { insertEnrolledComputer } from '../support/enrolled-computers.ts';
import { insertTestBank } from '../support/factories.ts';
import { startEquipmentProcess } from '../support/portal-process.ts';
import { declareOperations } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';

serviceSuite({ manager: false }, ({ service, storage, onStop }) => {
  test('portal equipment says that it is ready, answers computers alone, logs which one it was, and ends when it is told to', async () => {
    const key = await service.write('sund', async (db) => {
      await insertTestBank(db);
      return insertEnrolledComputer(db, { computerId: 7 });
    });
    const child = await startEquipmentProcess({ PORTAL_STORAGE: storage.storageUrl });
    onStop(() => child.kill());
    const call = createCaller(child.port, declareOperations(service.dependencies));
    const { status, json, text } = await call('GET', '/equipment/v1/streams', { token: key });
    assert.equal(status, 200, text);
    assert.deepEqual(
      json.streams.map(({ stream }: { stream: string }) => stream),
      ['money', 'samples'],
    );
    assert.equal((await call('GET', '/api/v1/session/me', {})).status, 404);
    child.signal('SIGTERM');
    assert.deepEqual(await child.ended, { code: 0, signal: null });
    assert.equal(child.stderr(), '');
    const lines = child.lines().map((line) => JSON.parse(line));
    const ready = lines.find(({ msg }) => msg === 'ready');
    assert.equal(ready?.url, `http://127.0.0.1:${child.port}`);
    const request = lines.find(({ path }) => path === '/equipment/v1/streams');
    assert.deepEqual([request?.status, request?.tenant, request?.computer], [200, 'sund', 'sund-B1001-C7']);
  });
});
