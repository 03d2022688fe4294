// More applications over the databases of a running service: the real one with some of its parts replaced, or a bare
// porch with operations that only a test has. And a hand on the clock that ages snapshots and windows.

import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { allOperations, buildApp } from '../../src/app.ts';
import { sessionDirectory, type Sessions } from '../../src/features/sessions/directory.ts';
import { mount } from '../../src/http/mount.ts';
import type { Operation } from '../../src/http/operation.ts';
import { rateLimiter } from '../../src/http/rate-limit.ts';
import { buildPorch } from '../../src/http/server.ts';
import type { Services } from '../../src/services.ts';
import { caller, type Call } from './call.ts';
import type { Service } from './service.ts';

export type Instance = { readonly app: FastifyInstance; readonly call: Call; stop(): Promise<void> };

/** The whole application again, with some of its services replaced. */
export async function startInstance(service: Service, replaced: Partial<Services> = {}): Promise<Instance> {
  const services = { ...service.services, ...replaced };
  return listening(await buildApp(services), allOperations(services).operations);
}

/** An application that has these operations and no others. */
export async function startDoors(
  service: Service,
  operations: readonly Operation[],
  replaced: Partial<Services> = {},
): Promise<Instance & { readonly sessions: Sessions }> {
  const { config, databases, clock, log, metrics } = { ...service.services, ...replaced };
  const { tenants, domain } = config;
  const limiter = rateLimiter(undefined);
  const sessions = sessionDirectory(databases, clock);
  const app = await buildPorch({
    tenants,
    domain,
    allowedOrigins: [],
    tls: undefined,
    log,
    limiter,
    metrics,
    operations,
    clock,
  });
  mount(app, operations, { databases, sessions, limiter, clock });
  return { ...(await listening(app, operations)), sessions };
}

async function listening(app: FastifyInstance, operations: readonly Operation[]): Promise<Instance> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { app, call: caller(port, operations), stop: () => app.close() };
}

/** Moves every monotonic clock of this process; what runs meanwhile would see its deadline jump, so nothing should. */
export function monotonicClock(): { advance(ms: number): void; restore(): void } {
  const real = performance.now.bind(performance);
  let ahead = 0;
  const { mock: replaced } = mock.method(performance, 'now', () => real() + ahead);
  return { advance: (ms) => void (ahead += ms), restore: () => replaced.restore() };
}

/** A promise and the hand that settles it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
