// The doors of requests: what an operation may do and know, made from the visit and the parts of the service. What an
// operation does not ask for is not made.

import type { Databases } from '../database/databases.ts';
import type { Db, WriteDb } from '../database/dialect.ts';
import type { FastifyRequest } from 'fastify';
import { negotiateLanguage, type Language } from '../lib/language.ts';
import { toMs2000 } from '../lib/ms2000.ts';
import { Problem } from '../lib/problem.ts';
import { makeScope, type Environment, type Scope } from '../permissions/scope.ts';
import type { Tenant } from '../tenants.ts';
import { demand } from './demand.ts';
import type { ManagerDoor, PublicDoor } from './door.ts';
import type { Reserve } from './idempotency.ts';
import type { ManagerOperation, Operation } from './operation.ts';
import type { Principal, SessionDirectory } from './principal.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Trace } from './trace.ts';
import { placeOf } from './visit.ts';

export type Parts = {
  readonly databases: Databases;
  readonly sessions: SessionDirectory;
  readonly limiter: RateLimiter;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export class OpenDoor implements PublicDoor {
  readonly request: FastifyRequest;
  readonly #deadlineMs: number;
  protected readonly parts: Parts;

  constructor({ deadlineMs }: Operation, request: FastifyRequest, parts: Parts) {
    this.request = request;
    this.parts = parts;
    this.#deadlineMs = deadlineMs;
  }

  get tenant(): Tenant {
    return placeOf(this.request).tenant;
  }

  get environment(): Environment {
    return placeOf(this.request).environment;
  }

  get requestId(): string {
    return this.request.id;
  }

  get trace(): Trace {
    return this.request.visit.trace;
  }

  get language(): Language {
    return negotiateLanguage(this.request.headers['accept-language']);
  }

  get address(): string {
    return this.request.visit.address;
  }

  now(): number {
    return toMs2000(this.parts.clock());
  }

  read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.parts.databases.of(this.tenant.name).read({ deadlineMs: this.#remaining() }, work);
  }

  readLater<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.parts.databases.of(this.tenant.name).read({ deadlineMs: this.#deadlineMs }, work);
  }

  write<T>(work: (db: WriteDb) => Promise<T>): Promise<T> {
    return this.parts.databases.of(this.tenant.name).write({ deadlineMs: this.#remaining() }, work);
  }

  /** What is left of the operation's deadline, which begins with the request. */
  #remaining(): number {
    return Math.max(1, Math.round(this.request.visit.startedAtMs + this.#deadlineMs - performance.now()));
  }
}

export class GuardedDoor extends OpenDoor implements ManagerDoor {
  readonly principal: Principal;
  readonly #operation: ManagerOperation;
  readonly #reserve: Reserve | undefined;

  constructor(operation: ManagerOperation, request: FastifyRequest, parts: Parts, reserve?: Reserve) {
    super(operation, request, parts);
    const { principal } = request.visit;
    if (principal === undefined) throw new Error('a manager operation ran without a principal');
    this.principal = principal;
    this.#operation = operation;
    this.#reserve = reserve;
  }

  get scope(): Scope {
    return this.#scopeOf(this.principal);
  }

  override write<T>(work: (db: WriteDb, scope: Scope) => Promise<T>): Promise<T> {
    return this.writeGuarded(async () => {}, work);
  }

  writeGuarded<G, T>(
    guard: (db: WriteDb) => Promise<G>,
    work: (db: WriteDb, scope: Scope, guarded: G) => Promise<T>,
  ): Promise<T> {
    return super.write(async (db) => {
      const guarded = await guard(db);
      const fresh = await this.parts.sessions.reread(db, this.principal);
      if (fresh === undefined) throw new Problem('unauthenticated');
      demand(this.#operation.access, fresh);
      await this.#reserve?.(db);
      return work(db, this.#scopeOf(fresh), guarded);
    });
  }

  #scopeOf({ grants, retentionDays }: Principal): Scope {
    return makeScope(this.tenant.name, this.environment, grants, retentionDays);
  }
}
