// The Equipment API in a process of its own, and a portal that leaves it to one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../src/app.ts';
import { serviceSuite } from '../support/service-suite.ts';

const paths = ['/equipment/v1/streams', '/api/v1/session/me', '/openapi/equipment-v1.json', '/docs', '/livez'] as const;

serviceSuite({ manager: false }, ({ service }) => {
  async function statusesOf(application: 'portal' | 'equipment', equipment: boolean): Promise<number[]> {
    const { dependencies } = service;
    const app = await createApp({ ...dependencies, config: { ...dependencies.config, equipment } }, application);
    const statuses: number[] = [];
    for (const url of paths)
      statuses.push((await app.inject({ url, headers: { host: 'api.sund.localhost' } })).statusCode);
    // The databases belong to the service of the suite.
    await app.close();
    return statuses;
  }

  test('each application serves its operations, and the portal those of equipment unless it is told not to', async () => {
    assert.deepEqual(await statusesOf('portal', true), [401, 401, 200, 200, 200]);
    assert.deepEqual(await statusesOf('portal', false), [404, 401, 200, 200, 200]);
    assert.deepEqual(await statusesOf('equipment', true), [401, 404, 200, 404, 200]);
    assert.deepEqual(await statusesOf('equipment', false), [401, 404, 200, 404, 200]);
  });
});
