// Test operations that write something and accept an Idempotency-Key. A test can delay them, or make them fail, at
// every step.

import { before, beforeEach } from 'node:test';
import { Type } from 'typebox';
import type { Databases } from '../../src/database/databases.ts';
import { PreparedJson } from '../../src/http/representations/results.ts';
import { closedObject, int64 } from '../../src/http/schemas/schema-types.ts';
import { defineManagerOperation, type Operation } from '../../src/http/operations/operation.ts';
import { jsonOf, noContent } from '../../src/http/operations/response.ts';
import { toJsonInt64 } from '../../src/lib/values/int64.ts';
import type { Call, CallOptions, HttpReply } from './call.ts';
import { startOperations, type TestInstance } from './instances.ts';
import { serviceSuite, type ServiceSuite } from './service-suite.ts';
import { testNow } from './times.ts';

/** Hooks at each step; each does nothing by default. */
export type WriteHooks = {
  beforeWrite(): Promise<void>;
  /** Inside the transaction, and before a replay. */
  requireObject(): Promise<void>;
  insideWrite(): Promise<void>;
  /** After each commit of the service. */
  afterCommit(): Promise<void>;
};

export type IdempotencySuite = ServiceSuite & {
  /** Calls the operations. */
  readonly call: Call;
  /** Calls them in another application over the same databases. */
  readonly callOther: Call;
  readonly steps: WriteHooks;
  /** How often the work of a write was done to its end. */
  runs: number;
  create(key: string | undefined, options: CreateThingOptions): Promise<HttpReply>;
  countStored(): Promise<{ things: number; keys: string[] }>;
};

export type CreateThingOptions = CallOptions & {
  readonly token: string;
  readonly by?: Call;
  readonly name?: string;
  readonly query?: string;
};

export const isReplay = ({ headers }: HttpReply): boolean => headers['idempotency-replayed'] === 'true';

const noHook = async (): Promise<void> => {};
const noSteps: WriteHooks = { beforeWrite: noHook, requireObject: noHook, insideWrite: noHook, afterCommit: noHook };

/** Declares a suite on these operations. Before each test the things and the steps are forgotten, not the records. */
export function idempotencySuite(declare: (suite: IdempotencySuite) => void): void {
  serviceSuite({ now: testNow, manager: false }, (suite) => {
    const { service, onStop } = suite;
    const steps = { ...noSteps };
    let instance: TestInstance;
    let other: TestInstance;
    const things: IdempotencySuite = {
      ...suite,
      call: (...args) => instance.call(...args),
      callOther: (...args) => other.call(...args),
      steps,
      runs: 0,
      create: (key, { name = 'a', query = '', headers = {}, by = instance.call, ...rest }) => {
        const keyed = key === undefined ? {} : { 'idempotency-key': key };
        const options = { body: { value: 1 }, ...rest, headers: { ...keyed, ...headers } };
        return by('POST', `/api/v1/test/things/${name}${query}`, options);
      },
      countStored: () =>
        service.read('sund', async (db) => {
          const written = await db.selectFrom('tenant_settings').select('name').execute();
          const records = await db.selectFrom('idempotency_records').select('key').execute();
          return { things: written.length, keys: records.map(({ key }) => key) };
        }),
    };
    before(async () => {
      const operations = operationsOf(steps, () => (things.runs += 1));
      const databases = withCommitHook(service.dependencies.databases, steps);
      instance = await startOperations(service, operations, { databases });
      onStop(instance.stop);
      other = await startOperations(service, operations, { databases });
      onStop(other.stop);
    });
    beforeEach(async () => {
      Object.assign(steps, noSteps);
      things.runs = 0;
      await service.write('sund', (db) => db.deleteFrom('tenant_settings').execute());
    });
    declare(things);
  });
}

const withCommitHook = (databases: Databases, steps: WriteHooks): Databases => ({
  ...databases,
  forTenant: (tenant) => ({
    ...databases.forTenant(tenant),
    write: async (options, work) => {
      const result = await databases.forTenant(tenant).write(options, work);
      await steps.afterCommit();
      return result;
    },
  }),
});

function operationsOf(steps: WriteHooks, done: () => number): Operation[] {
  const common = {
    openApiDocuments: [],
    group: 'Test',
    summary: 'Write a thing',
    acceptsIdempotencyKey: true,
    deadlineMs: 10_000,
    access: { tabs: ['Account2'] },
  } as const;
  const params = closedObject({ name: Type.String({ examples: ['a'] }) });
  const body = closedObject({ value: Type.Integer() });
  return [
    defineManagerOperation({
      ...common,
      id: 'CreateThing',
      problemCodes: ['not-found'],
      method: 'POST',
      path: '/api/v1/test/things/{name}',
      params,
      query: closedObject({ note: Type.Optional(Type.String()) }),
      body,
      response: jsonOf(closedObject({ run: Type.Integer(), value: Type.Integer(), big: int64('A large one.') }), {
        status: 201,
      }),
      run: async ({ body: { value } }, context) => {
        await steps.beforeWrite();
        return context.write({
          grant: (scope) => scope,
          requireObject: () => steps.requireObject(),
          work: async (db) => {
            await db
              .insertInto('tenant_settings')
              .values({ name: crypto.randomUUID(), value: String(value) })
              .execute();
            await steps.insideWrite();
            return { run: done(), value, big: toJsonInt64(2n ** 63n - 1n) };
          },
        });
      },
    }),
    defineManagerOperation({
      ...common,
      id: 'ReplaceThing',
      method: 'PUT',
      path: '/api/v1/test/things/{name}',
      params,
      body,
      response: noContent,
      run: (_input, context) =>
        context.write({
          grant: (scope) => scope,
          requireObject: () => steps.requireObject(),
          work: async () => void done(),
        }),
    }),
    defineManagerOperation({
      ...common,
      id: 'PrepareThing',
      method: 'POST',
      path: '/api/v1/test/prepared',
      response: jsonOf(closedObject({ run: Type.Integer() })),
      run: (_input, context) =>
        context.write({
          grant: (scope) => scope,
          requireObject: () => steps.requireObject(),
          work: async () => new PreparedJson<{ run: number }>(`{ "run": ${done()} }`),
        }),
    }),
  ];
}
