// Makes the contexts of operations from the request and the service's dependencies.

import type { Databases } from '../../database/databases.ts';
import type { Db, WriteDb } from '../../database/db.ts';
import type { FastifyRequest } from 'fastify';
import { negotiateLanguage, type Language } from '../../lib/language.ts';
import { toMs2000 } from '../../lib/ms2000.ts';
import { Problem } from '../../lib/problem.ts';
import { createScope, type Environment, type Scope } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';
import { authorize } from './authorize.ts';
import type { ManagerContext, ManagerWrite, OperationContext, PublicContext } from './operation-context.ts';
import type { ReserveKey } from '../idempotency.ts';
import type { ManagerOperation, Operation } from '../operation.ts';
import type { Principal, PrincipalProvider } from './principal.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { Trace } from './trace.ts';
import { tenantHostOf } from './request-context.ts';

export type HttpDependencies = {
  readonly databases: Databases;
  readonly sessions: PrincipalProvider;
  readonly limiter: RateLimiter;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

/** What every operation is handed. What an operation does not ask for is not made. */
class RequestOperationContext implements OperationContext {
  readonly request: FastifyRequest;
  readonly #deadlineMs: number;
  #now: number | undefined;
  protected readonly dependencies: HttpDependencies;

  constructor({ deadlineMs }: Operation, request: FastifyRequest, parts: HttpDependencies) {
    this.request = request;
    this.dependencies = parts;
    this.#deadlineMs = deadlineMs;
  }

  get tenant(): Tenant {
    return tenantHostOf(this.request).tenant;
  }

  get environment(): Environment {
    return tenantHostOf(this.request).environment;
  }

  get requestId(): string {
    return this.request.id;
  }

  get trace(): Trace {
    return this.request.requestContext.trace;
  }

  get language(): Language {
    return negotiateLanguage(this.request.headers['accept-language']);
  }

  get clientAddress(): string {
    return this.request.requestContext.clientAddress;
  }

  get now(): number {
    this.#now ??= toMs2000(this.dependencies.clock());
    return this.#now;
  }

  read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.dependencies.databases.forTenant(this.tenant.name).read({ deadlineMs: this.#remainingMs() }, work);
  }

  readWithNewDeadline<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.dependencies.databases.forTenant(this.tenant.name).read({ deadlineMs: this.#deadlineMs }, work);
  }

  protected writeTransaction<T>(work: (db: WriteDb) => Promise<T>): Promise<T> {
    return this.dependencies.databases.forTenant(this.tenant.name).write({ deadlineMs: this.#remainingMs() }, work);
  }

  /** What is left of the operation's deadline, which begins with the request. */
  #remainingMs(): number {
    return Math.max(1, Math.round(this.request.requestContext.startedAtMs + this.#deadlineMs - performance.now()));
  }
}

export class PublicRequestContext extends RequestOperationContext implements PublicContext {
  write<T>(work: (db: WriteDb) => Promise<T>): Promise<T> {
    return this.writeTransaction(work);
  }
}

export class ManagerRequestContext extends RequestOperationContext implements ManagerContext {
  readonly principal: Principal;
  readonly #operation: ManagerOperation;
  readonly #reserveKey: ReserveKey | undefined;

  constructor(operation: ManagerOperation, request: FastifyRequest, parts: HttpDependencies, reserve?: ReserveKey) {
    super(operation, request, parts);
    const { principal } = request.requestContext;
    if (principal === undefined) throw new Error('a manager operation ran without a principal');
    this.principal = principal;
    this.#operation = operation;
    this.#reserveKey = reserve;
  }

  get scope(): Scope {
    return this.#createScope(this.principal);
  }

  async write<G, L, T>({ grant, lock, work }: ManagerWrite<G, L, T>): Promise<T> {
    const granted = grant(this.scope);
    return this.writeTransaction(async (db) => {
      const locked = await lock?.(db, granted);
      const principal = await this.dependencies.sessions.readCurrentPrincipal(db, this.principal);
      if (principal === undefined) throw new Problem('unauthenticated');
      authorize(this.#operation.access, principal);
      await this.#reserveKey?.(db);
      return work(db, grant(this.#createScope(principal)), locked as L);
    });
  }

  #createScope({ grants, retentionDays }: Principal): Scope {
    return createScope(this.tenant.name, this.environment, grants, retentionDays);
  }
}
