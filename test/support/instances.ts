// Starts more applications over the databases of a running service: the whole one with some dependencies replaced, or
// one with operations of a test's own. Also mocks the monotonic clock, by which snapshots and windows age.

import type { FastifyInstance } from 'fastify';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { createApp } from '../../src/app.ts';
import { createComputerProvider } from '../../src/features/computers/process/computer-provider.ts';
import { createPrincipalCache, invalidateOnCommit } from '../../src/features/sessions/process/principal-cache.ts';
import type { HttpDependencies } from '../../src/http/requests/http-dependencies.ts';
import { mountOperations } from '../../src/http/routes/mount-operations.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { createRateLimiter } from '../../src/http/limits/rate-limit.ts';
import { createServer } from '../../src/http/server/create-server.ts';
import type { Dependencies } from '../../src/dependencies.ts';
import { createCaller, type Call } from './call.ts';
import { assertDeclared, watchProblems } from './declared-problems.ts';
import { declareOperations, type TestService } from './service.ts';

export type TestInstance = { readonly app: FastifyInstance; readonly call: Call; stop(): Promise<void> };

/** The whole application again, with some of its dependencies replaced. */
export async function startInstance(service: TestService, replaced: Partial<Dependencies> = {}): Promise<TestInstance> {
  const dependencies = { ...service.dependencies, ...replaced };
  return listen(await createApp(dependencies), declareOperations(dependencies), new Agent({ keepAlive: true }));
}

/** An application that has these operations and no others; with a certificate it speaks TLS, which `call` does not. */
export async function startOperations(
  service: TestService,
  operations: readonly Operation[],
  { tls, ...replaced }: Partial<Dependencies> & { readonly tls?: { readonly cert: string; readonly key: string } } = {},
): Promise<TestInstance & Pick<HttpDependencies, 'principalProvider'>> {
  const { config, databases, clock, log, liveLog, equipmentLiveLog, metrics, unsentLimits, passwordHasher } = {
    ...service.dependencies,
    ...replaced,
  };
  const { tenants, domain, connections } = config;
  const limiter = createRateLimiter(undefined);
  const principalProvider = createPrincipalCache(databases);
  invalidateOnCommit(databases, principalProvider);
  const app = await createServer({
    tenants,
    domain,
    allowedOrigins: [],
    trustedProxies: [],
    connections,
    unsentLimits,
    tls,
    log,
    liveLog,
    equipmentLiveLog,
    limiter,
    metrics,
    operations,
    clock,
  });
  const { hashSecret } = passwordHasher;
  const computerProvider = createComputerProvider(databases);
  mountOperations(app, operations, { databases, principalProvider, computerProvider, limiter, hashSecret });
  return { ...(await listen(app, operations)), principalProvider };
}

async function listen(app: FastifyInstance, operations: readonly Operation[], agent?: Agent): Promise<TestInstance> {
  const undeclaredProblems = watchProblems(app, operations);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { app, call: createCaller(port, operations, agent), stop: () => stop(app, undeclaredProblems) };
}

async function stop(app: FastifyInstance, undeclaredProblems: ReadonlySet<string>): Promise<void> {
  await app.close();
  assertDeclared(undeclaredProblems);
}

/**
 * Moves every monotonic clock of this process; what runs meanwhile would see its deadline jump, so nothing should. A
 * clock that stands still moves only by that.
 */
export function mockMonotonicClock({ standsStill = false } = {}): { advance(ms: number): void; restore(): void } {
  const real = performance.now.bind(performance);
  const startedAtMs = real();
  let ahead = 0;
  const { mock: replaced } = mock.method(performance, 'now', () => (standsStill ? startedAtMs : real()) + ahead);
  return { advance: (ms) => void (ahead += ms), restore: () => replaced.restore() };
}
