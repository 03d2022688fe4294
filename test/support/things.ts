// Operations that only tests have: they write a thing, take an Idempotency-Key, and can be held or made to fail at
// every step of their way.

import { Type } from 'typebox';
import type { Databases } from '../../src/database/databases.ts';
import { PreparedJson } from '../../src/http/answer.ts';
import { closed, int64 } from '../../src/http/fields.ts';
import { managerOperation, type Operation } from '../../src/http/operation.ts';
import { jsonInt64 } from '../../src/lib/int64.ts';
import type { Call, CallOptions, Reply } from './call.ts';
import { startDoors } from './instances.ts';
import { startService, type EngineName, type Service } from './service.ts';

/** What happens on the way; each does nothing until a test says otherwise. */
export type Steps = {
  beforeWrite(): Promise<void>;
  insideWrite(): Promise<void>;
  afterWrite(): Promise<void>;
  /** After each commit of the service: first the write's own, then that of the answer's record. */
  afterCommit(): Promise<void>;
};

export type Things = {
  readonly service: Service;
  readonly call: Call;
  readonly steps: Steps;
  /** Epoch milliseconds. */
  now: number;
  /** How often the work of a write was done to its end. */
  runs: number;
  /** Forgets the things and the steps, not the records. */
  clear(): Promise<void>;
  create(key: string | undefined, options: CreateOptions): Promise<Reply>;
  stored(): Promise<{ things: number; keys: string[] }>;
  stop(): Promise<void>;
};

export type CreateOptions = CallOptions & { readonly token: string; readonly name?: string; readonly query?: string };

export const isReplay = ({ headers }: Reply): boolean => headers['idempotency-replayed'] === 'true';

const nothing = async (): Promise<void> => {};
const noSteps: Steps = { beforeWrite: nothing, insideWrite: nothing, afterWrite: nothing, afterCommit: nothing };

export async function startThings(engine: EngineName): Promise<Things> {
  const service = await startService(engine, { clock: () => things.now });
  const steps = { ...noSteps };
  const { databases } = service.services;
  const watched: Databases = {
    ...databases,
    of: (tenant) => ({
      ...databases.of(tenant),
      write: async (options, work) => {
        const result = await databases.of(tenant).write(options, work);
        await steps.afterCommit();
        return result;
      },
    }),
  };
  const done = (): number => (things.runs += 1);
  const doors = await startDoors(service, operationsOf(steps, done), { databases: watched });
  const things: Things = {
    service,
    call: doors.call,
    steps,
    now: Date.UTC(2026, 3, 1),
    runs: 0,
    clear: async () => {
      Object.assign(steps, noSteps);
      things.runs = 0;
      await service.write('sund', (db) => db.deleteFrom('tenant_settings').execute());
    },
    create: (key, { name = 'a', query = '', headers = {}, ...rest }) => {
      const keyed = key === undefined ? {} : { 'idempotency-key': key };
      const options = { body: { value: 1 }, ...rest, headers: { ...keyed, ...headers } };
      return doors.call('POST', `/api/v1/test/things/${name}${query}`, options);
    },
    stored: () =>
      databases.of('sund').read({ deadlineMs: 5000 }, async (db) => {
        const written = await db.selectFrom('tenant_settings').select('name').execute();
        const records = await db.selectFrom('idempotency_records').select('key').execute();
        return { things: written.length, keys: records.map(({ key }) => key) };
      }),
    stop: async () => {
      await doors.stop();
      await service.stop();
    },
  };
  return things;
}

function operationsOf(steps: Steps, done: () => number): Operation[] {
  const common = {
    documents: [],
    group: 'Test',
    summary: 'Write a thing',
    idempotent: true,
    deadlineMs: 10_000,
    access: { tabs: ['Account2'] },
  } as const;
  const params = closed({ name: Type.String({ examples: ['a'] }) });
  const body = closed({ value: Type.Integer() });
  return [
    managerOperation({
      ...common,
      id: 'CreateThing',
      method: 'POST',
      path: '/api/v1/test/things/{name}',
      params,
      query: closed({ note: Type.Optional(Type.String()) }),
      body,
      answer: closed({ run: Type.Integer(), value: Type.Integer(), big: int64('A large one.') }),
      status: 201,
      run: async ({ body: { value } }, door) => {
        await steps.beforeWrite();
        const result = await door.write(async (db) => {
          await db
            .insertInto('tenant_settings')
            .values({ name: crypto.randomUUID(), value: String(value) })
            .execute();
          await steps.insideWrite();
          return { run: done(), value, big: jsonInt64(2n ** 63n - 1n) };
        });
        await steps.afterWrite();
        return result;
      },
    }),
    managerOperation({
      ...common,
      id: 'ReplaceThing',
      method: 'PUT',
      path: '/api/v1/test/things/{name}',
      params,
      body,
      run: (_input, door) => door.write(async () => void done()),
    }),
    managerOperation({
      ...common,
      id: 'PrepareThing',
      method: 'POST',
      path: '/api/v1/test/prepared',
      answer: closed({ run: Type.Integer() }),
      run: (_input, door) => door.write(async () => new PreparedJson(`{ "run": ${done()} }`)),
    }),
  ];
}
