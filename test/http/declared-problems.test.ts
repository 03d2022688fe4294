// Each operation declares the problems that any request can cause, and every test service reports one that is not
// declared.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createApp, createOperations } from '../../src/app.ts';
import { problemsByStatus } from '../../src/http/openapi/problem-codes.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { watchProblems } from '../support/declared-problems.ts';
import { createDependenciesWithoutStorage } from '../support/dependencies-without-storage.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createSample } from './support/operation-samples.ts';

test('[contract.16] a problem that its operation does not declare is reported, and so is a wrong status', async () => {
  const dependencies = createDependenciesWithoutStorage();
  const { operations } = createOperations(dependencies);
  const without = operations.map((operation): Operation => ({ ...operation, problemCodes: [] }));
  const url = '/download/windows/x64/Demo.Portal_1.4.2.0_x64.msix';
  for (const [declared, expected] of [
    [operations, []],
    [without, ['DownloadPortalWindowsPackage: 404 release-not-found']],
  ] as const) {
    const app = await createApp(dependencies);
    const undeclared = watchProblems(app, declared);
    const { statusCode } = await app.inject({ url, headers: { host: 'api.sund.localhost' } });
    await app.close();
    assert.equal(statusCode, 404);
    assert.deepEqual([...undeclared], expected);
  }
  await dependencies.databases.close();
});

serviceSuite({}, ({ service, manager }) => {
  let operations: readonly Operation[];
  before(() => ({ operations } = createOperations(service.dependencies)));

  /** What any client can do wrong, each with the options of the call. */
  const listFaults = (operation: Operation): readonly (readonly [method: string, path: string, options: object])[] => {
    const { method, path, body } = createSample(operation);
    const reads: [string, string, object][] = [
      [method, `${path}?unknown=1`, { body }],
      [method, path, { body, headers: { 'transfer-encoding': 'gzip, chunked' } }],
    ];
    if (method === 'GET') return [...reads, ['HEAD', `${path}?unknown=1`, {}]];
    const raws = ['{"a":1,"a":2}', '{', '{"unknown":1}', '[]', `{"a":"${'x'.repeat(70_000)}"}`];
    return [
      ...reads,
      ...raws.map((rawBody): [string, string, object] => [method, path, { rawBody }]),
      [method, path, { rawBody: '<a/>', headers: { 'content-type': 'application/xml' } }],
    ];
  };

  test('[contract.16] each operation declares the code and the status of what any client can do wrong', async () => {
    for (const operation of operations) {
      const declared = problemsByStatus(operation);
      for (const [method, path, options] of listFaults(operation)) {
        const { status, json } = await service.call(method, path, { token: manager.token, ...options });
        assert.ok(status >= 400 && status < 502, `${operation.id} ${JSON.stringify(options).slice(0, 80)}: ${status}`);
        const codes = declared.find(([each]) => each === status)?.[1] ?? [];
        if (method !== 'HEAD') assert.ok(codes.includes(json.code), `${operation.id}: ${status} ${json.code}`);
      }
    }
  });
});
