// The log of the process as a tenant may see it: which lines, and which of their members.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnApplication } from '../own-log-lines.ts';
import { createOwnLogSource } from './own-logs.ts';

const read = (
  lines: readonly (object | string)[],
  { isCut = false, application = 'portal-api' }: { isCut?: boolean; application?: OwnApplication } = {},
) =>
  createOwnLogSource(
    {
      newestFirst: () =>
        lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).toReversed(),
      isCut: () => isCut,
    },
    application,
  ).read({ tenant: 'sund', environment: 'beta', nowMs: 0, maxLines: 100 });

const head = { level: 'info', time: '2026-06-15T09:30:00.000Z' };
const request = {
  ...head,
  msg: 'request',
  requestId: 'r1',
  method: 'GET',
  path: '/x',
  status: 200,
  clientAddress: '192.0.2.7',
};

test('[hostlogs.10] a line has only members that are known to be neither personal nor secret', async () => {
  const failure = {
    ...head,
    level: 'error',
    msg: 'failed',
    tenant: 'sund',
    detail: 'canary',
    location: '/srv/canary',
    reason: 'canary',
    token: 'canary',
    err: {
      name: 'StorageError',
      code: 'ECONNREFUSED',
      message: 'canary',
      stack: 'canary',
      cause: { message: 'canary' },
    },
  };
  const { lines } = await read([{ ...request, tenant: 'sund', environment: 'beta', managerId: 1001 }, failure]);
  assert.deepEqual(lines, [
    '2026-06-15T09:30:00.000Z info request requestId=r1 method=GET path=/x status=200 tenant=sund environment=beta managerId=1001',
    '2026-06-15T09:30:00.000Z error failed tenant=sund error=StorageError errorCode=ECONNREFUSED',
  ]);
});

test('lines of other tenants, of strangers and of probes are left out, and so is text that is not a log line', async () => {
  const { lines } = await read([
    { ...request, tenant: 'fjord' },
    request,
    { ...head, msg: 'Server listening at http://10.0.0.5:8080' },
    { ...head, msg: 'stopping', signal: 'SIGTERM' },
    'no JSON',
    { ...head, msg: 'demo data', tenant: 'fjord' },
  ]);
  assert.deepEqual(lines, ['2026-06-15T09:30:00.000Z info stopping signal=SIGTERM']);
});

test('of the lines of a tenant only those of the environment that was asked for, and those of none, are shown', async () => {
  const { lines } = await read([
    { ...request, tenant: 'sund', environment: 'production' },
    { ...head, msg: 'of both', tenant: 'sund' },
    { ...request, tenant: 'sund', environment: 'beta' },
    { ...request, tenant: 'fjord', environment: 'beta' },
  ]);
  assert.deepEqual(lines, [
    '2026-06-15T09:30:00.000Z info of both tenant=sund',
    '2026-06-15T09:30:00.000Z info request requestId=r1 method=GET path=/x status=200 tenant=sund environment=beta',
  ]);
});

test('requests to the Equipment API and their failures belong to equipment-api, and everything else to portal-api', async () => {
  const ofEquipment = { ...request, path: '/equipment/v1/streams/money', tenant: 'sund', environment: 'beta' };
  const all = [
    { ...ofEquipment, computer: 'sund-B1001-C7' },
    { ...ofEquipment, tenant: 'fjord', computer: 'fjord-B1001-C7' },
    { ...ofEquipment, environment: 'production' },
    { ...request, path: '/api/v1/computers/x/equipment/v1/', tenant: 'sund', environment: 'beta' },
    { ...head, level: 'warn', msg: 'storage-unavailable', tenant: 'sund', route: '/equipment/v1/streams/:stream' },
    { ...head, msg: 'of nobody' },
  ];
  assert.deepEqual((await read(all, { application: 'equipment-api' })).lines, [
    '2026-06-15T09:30:00.000Z info request requestId=r1 method=GET path=/equipment/v1/streams/money status=200 tenant=sund environment=beta computer=sund-B1001-C7',
    '2026-06-15T09:30:00.000Z warn storage-unavailable route=/equipment/v1/streams/:stream tenant=sund',
  ]);
  assert.deepEqual((await read(all)).lines, [
    '2026-06-15T09:30:00.000Z info request requestId=r1 method=GET path=/api/v1/computers/x/equipment/v1/ status=200 tenant=sund environment=beta',
    '2026-06-15T09:30:00.000Z info of nobody',
  ]);
});

test('the newest hundred lines are shown, oldest first', async () => {
  const all = Array.from({ length: 120 }, (_, index) => ({ ...head, msg: `line ${index}` }));
  const { lines, truncated } = await read(all);
  assert.deepEqual([lines.length, truncated], [100, true]);
  assert.match(lines[0] ?? '', /line 20$/);
  assert.match(lines.at(-1) ?? '', /line 119$/);
  assert.equal((await read(all.slice(0, 100))).truncated, false);
  assert.equal((await read(all.slice(0, 100), { isCut: true })).truncated, true);
});
