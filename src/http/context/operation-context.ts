// What an operation is handed: where the request came in, who sent it, and the two ways to storage.

import type { Db, WriteDb } from '../../database/db.ts';
import type { Language } from '../../lib/language.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { TenantHost } from './tenancy.ts';
import type { Principal } from './principal.ts';
import type { Trace } from './trace.ts';

/** A request that was let in at a tenant's host. */
export type OperationContext = TenantHost & {
  readonly requestId: string;
  readonly trace: Trace;
  readonly language: Language;
  /** The client's address as limits count it. */
  readonly clientAddress: string;
  /** The service's clock, MS2000. */
  now(): number;
  /** A snapshot read under the operation's deadline. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * A snapshot read of a download that is under way. It has the whole deadline for itself: how long the client took over
   * what came before is not storage's fault.
   */
  readWithNewDeadline<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

/** A door that anyone may open. */
export type PublicContext = OperationContext & {
  write<T>(work: (db: WriteDb) => Promise<T>): Promise<T>;
};

/** A door opened by a manager who holds what the operation needs. */
export type ManagerContext = OperationContext & {
  readonly principal: Principal;
  readonly scope: Scope;
  /** A write transaction; the manager's rights are read again inside it, and the scope given is the fresh one. */
  write<T>(work: (db: WriteDb, scope: Scope) => Promise<T>): Promise<T>;
  /**
   * The same for a write that depends on what it reads. `guard` bumps the guard row of what is changed, as the first
   * statement of all: when its turn has come, the transaction sees everything that was committed before. It runs before
   * the rights are read, so it refuses nothing; what it answers is passed on to `work`.
   */
  writeGuarded<G, T>(
    guard: (db: WriteDb) => Promise<G>,
    work: (db: WriteDb, scope: Scope, guarded: G) => Promise<T>,
  ): Promise<T>;
};
