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
  /** When the operation began, MS2000: the service's clock is read once a request. */
  readonly now: number;
  /** A snapshot read under the operation's deadline. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * A snapshot read of a download that is under way. It has the whole deadline for itself: how long the client took over
   * what came before is not storage's fault.
   */
  readWithNewDeadline<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

/** What a public operation is handed. */
export type PublicContext = OperationContext & {
  write<T>(work: (db: WriteDb) => Promise<T>): Promise<T>;
};

/** What an operation of a manager is handed, who holds what the operation needs. */
export type ManagerContext = OperationContext & {
  readonly principal: Principal;
  readonly scope: Scope;
  /** Runs a write transaction in the steps of {@link ManagerWrite}. */
  write<G, L, T>(steps: ManagerWrite<G, L, T>): Promise<T>;
};

/**
 * The steps of a manager's write. Rights are decided twice by the same functions: before anything is locked, and again
 * inside the transaction, since they may have changed meanwhile.
 */
export type ManagerWrite<G, L, T> = {
  /** What the grants allow of the object: pure, throws a Problem. `work` gets what it returns for the rights as they are then. */
  readonly grant: (scope: Scope) => G;
  /**
   * Updates the lock row of what is changed, as the first statements of the transaction: when its turn has come, the
   * transaction sees everything that was committed before.
   */
  readonly lock?: (db: WriteDb, granted: G) => Promise<L>;
  /** Decides and writes. It may run several times, and has no effect outside the database. */
  readonly work: (db: WriteDb, granted: G, locked: L) => Promise<T>;
};
