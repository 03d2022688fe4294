// The contexts that operations get: host, principal and time of the request, and access to the database.

import type { Db, WriteDb } from '../../database/db.ts';
import type { Language } from '../../lib/language.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { TenantHost } from './tenancy.ts';
import type { Principal } from './principal.ts';
import type { Trace } from './trace.ts';

/** The context of a request that passed the host check. */
export type OperationContext = TenantHost & {
  readonly requestId: string;
  readonly trace: Trace;
  readonly language: Language;
  /** The client's address as rate limits count it. */
  readonly clientAddress: string;
  /** When the request came in, MS2000: the clock is read once a request. */
  readonly now: number;
  /** Runs a snapshot read under the operation's deadline. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs a snapshot read of a download that has begun. It has the whole deadline for itself, since the time before it may
   * have been spent by a slow client.
   */
  readWithNewDeadline<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

/** The context of a public operation. */
export type PublicContext = OperationContext & {
  write<T>(work: (db: WriteDb) => Promise<T>): Promise<T>;
};

/** The context of a manager's operation, whose guard has checked the manager's rights. */
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
  /** Checks what the grants allow of the object: pure, throws a Problem. `work` gets its result for the current rights. */
  readonly grant: (scope: Scope) => G;
  /**
   * Updates the lock rows of what will be changed, as the first statements of the transaction: once it has them, the
   * transaction sees everything that was committed before.
   */
  readonly lock?: (db: WriteDb, granted: G) => Promise<L>;
  /** Decides and writes. It may run several times, and has no effect outside the database. */
  readonly work: (db: WriteDb, granted: G, locked: L) => Promise<T>;
};
