// 429 and 503 have Retry-After if a retry can help.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Type } from 'typebox';
import { StorageError } from '../../src/database/errors.ts';
import { stringEnum, closedObject } from '../../src/http/schemas/schema-types.ts';
import { definePublicOperation } from '../../src/http/operations/operation.ts';
import { jsonOf } from '../../src/http/operations/response.ts';
import { Problem, problems, reasonsOfCode, type PlainProblemCode } from '../../src/lib/problem.ts';
import { startOperations } from '../support/instances.ts';
import { createStorage, onBothEngines, startService } from '../support/service.ts';

const later = (Object.keys(problems) as PlainProblemCode[]).filter((code) =>
  [429, 503].includes(problems[code].status),
);
/** The caller must read back, correct the texts, change the configuration, or do without: a plain retry does not help. */
const helpless = new Set<PlainProblemCode>([
  'storage-outcome-unknown',
  'storage-text-comparison',
  'receipts-too-large',
  'hosting-not-configured',
]);

const failures = ['timeout', 'unavailable', 'rolled-back', 'outcome-unknown', 'text-comparison'] as const;

const common = {
  method: 'GET',
  openApiDocuments: ['public'],
  group: 'Failing',
  summary: 'Fails',
  deadlineMs: 1000,
  response: jsonOf(Type.Null()),
} as const;
const failing = [
  definePublicOperation({
    ...common,
    id: 'Refuse',
    problemCodes: later,
    path: '/api/v1/refuse/{code}',
    params: closedObject({ code: stringEnum(later, 'What to be refused with.') }),
    run: ({ params }) => {
      const [reason] = reasonsOfCode(params.code);
      throw new Problem(params.code, reason === undefined ? {} : { reason });
    },
  }),
  definePublicOperation({
    ...common,
    id: 'Fail',
    problemCodes: ['storage-outcome-unknown'],
    path: '/api/v1/fail/{failure}',
    params: closedObject({ failure: stringEnum(failures, 'What storage does.') }),
    run: ({ params }) => {
      throw new StorageError(params.failure, new Error('insert into secrets (path) values (/etc/passwd)'));
    },
  }),
];

test('[general.51] 429 and 503 carry Retry-After, unless a retry cannot help', async () => {
  const service = await startService('sqlite');
  const instance = await startOperations(service, failing);
  try {
    assert.ok(later.length >= 8);
    for (const code of later) {
      const { status, headers, json } = await instance.call('GET', `/api/v1/refuse/${code}`);
      assert.deepEqual([status, json.code], [problems[code].status, code]);
      const after = headers['retry-after'];
      if (helpless.has(code)) assert.equal(after, undefined, code);
      else assert.match(after ?? '', /^[1-9]\d*$/, code);
    }
  } finally {
    await instance.stop();
    await service.stop();
  }
});

test('[general.36] the error text of storage is not sent to the caller', async () => {
  const service = await startService('sqlite');
  const instance = await startOperations(service, failing);
  try {
    for (const failure of failures) {
      const { status, text, json } = await instance.call('GET', `/api/v1/fail/${failure}`);
      assert.equal(status, 503);
      assert.match(json.code, /^storage-/);
      assert.doesNotMatch(text, /insert|secrets|passwd|Error/);
    }
  } finally {
    await instance.stop();
    await service.stop();
  }
});

onBothEngines((engine) => {
  test('[general.36, general.51] storage that cannot be reached is 503 with Retry-After, only for its own tenant', async () => {
    const storage = await createStorage(engine);
    // On MariaDB it is enough that the tenant's schema was never created.
    const service = await startService(engine, { storage, tenants: ['sund'] });
    if (engine === 'sqlite')
      writeFileSync(join(storage.storageUrl.slice('sqlite:'.length), 'fjord.sqlite'), 'no database'.repeat(1000));
    try {
      const reply = await service.call('GET', '/api/v1/session/me', { host: 'api.fjord.localhost', token: 'x' });
      assert.deepEqual(
        [reply.status, reply.json.code, reply.headers['retry-after']],
        [503, 'storage-unavailable', '10'],
      );
      assert.doesNotMatch(reply.text, /sqlite|mysql|database|fjord|file/i);
      assert.equal((await service.call('GET', '/api/v1/session/me', { token: 'x' })).status, 401);
    } finally {
      await service.stop();
      await storage.release();
    }
  });
});
