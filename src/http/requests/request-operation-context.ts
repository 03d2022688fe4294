// The context of an operation, created from a request and the dependencies of the HTTP layer.

import type { FastifyRequest } from 'fastify';
import type { Db, LockableDb } from '../../database/db.ts';
import { negotiateLanguage, type Language } from '../../lib/text/language.ts';
import type { Environment } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';
import type { OperationDependencies } from './http-dependencies.ts';
import type { Operation } from '../operations/operation.ts';
import type { OperationContext, PublicContext } from '../context/operation-context.ts';
import { tenantHostOf } from './request-context.ts';
import { readRequestHost } from '../context/tenancy.ts';
import type { Trace } from '../protocol/trace.ts';

/** Getters, so that nothing is computed that the operation does not use. */
export class RequestOperationContext implements OperationContext {
  readonly request: FastifyRequest;
  readonly operationId: string;
  readonly #deadlineMs: number;
  /** Octets may take longer to arrive than any deadline. */
  readonly #takesOctets: boolean;
  protected readonly dependencies: OperationDependencies;

  constructor({ id, deadlineMs, bodyFormat }: Operation, request: FastifyRequest, dependencies: OperationDependencies) {
    this.request = request;
    this.operationId = id;
    this.dependencies = dependencies;
    this.#deadlineMs = deadlineMs;
    this.#takesOctets = bodyFormat === 'octets';
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

  get host(): string {
    return readRequestHost(this.request.raw)?.toLowerCase() ?? '';
  }

  get scheme(): 'http' | 'https' {
    return this.request.protocol === 'https' ? 'https' : 'http';
  }

  requestHeader(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === 'string' ? value : undefined;
  }

  get clientAddress(): string {
    return this.request.requestContext.clientAddress;
  }

  get now(): number {
    return this.request.requestContext.now;
  }

  get currentTime(): number {
    return this.now + Math.floor(this.#elapsedMs());
  }

  get clientSignal(): AbortSignal {
    return this.request.requestContext.clientWatch.signal;
  }

  createDeadlineSignal(): AbortSignal {
    return AbortSignal.timeout(this.#remainingMs());
  }

  read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.dependencies.databases.forTenant(this.tenant.name).read({ deadlineMs: this.#remainingMs() }, work);
  }

  readStatement<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const options = { deadlineMs: this.#remainingMs(), isSingleStatement: true };
    return this.dependencies.databases.forTenant(this.tenant.name).read(options, work);
  }

  readForDownload<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const options = { deadlineMs: this.#deadlineMs, forDownload: true };
    return this.dependencies.databases.forTenant(this.tenant.name).read(options, work);
  }

  protected writeTransaction<T>(work: (db: LockableDb) => Promise<T>): Promise<T> {
    return this.dependencies.databases.forTenant(this.tenant.name).write({ deadlineMs: this.#remainingMs() }, work);
  }

  protected writeWithWholeDeadline<T>(work: (db: LockableDb) => Promise<T>, mostMs = Infinity): Promise<T> {
    const deadlineMs = Math.min(this.#deadlineMs, mostMs);
    return this.dependencies.databases.forTenant(this.tenant.name).write({ deadlineMs }, work);
  }

  protected readWithWholeDeadline<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.dependencies.databases.forTenant(this.tenant.name).read({ deadlineMs: this.#deadlineMs }, work);
  }

  /** How long the request has been running. */
  #elapsedMs(): number {
    return performance.now() - this.request.requestContext.startedAtMs;
  }

  /** The rest of the operation's deadline, which begins with the request; with octets, with each piece of work. */
  #remainingMs(): number {
    if (this.#takesOctets) return this.#deadlineMs;
    return Math.max(1, Math.round(this.#deadlineMs - this.#elapsedMs()));
  }
}

export class PublicRequestContext extends RequestOperationContext implements PublicContext {
  write<T>(work: (db: LockableDb) => Promise<T>): Promise<T> {
    return this.writeTransaction(work);
  }
}
