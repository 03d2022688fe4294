// The contexts that operations get: host, principal and time of the request, and access to the database.

import type { Db, WriteDb } from '../../database/db.ts';
import type { Language } from '../../lib/language.ts';
import type { Problem } from '../../lib/problem.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { TenantHost } from './tenancy.ts';
import type { Principal } from './principal.ts';
import type { Trace } from './trace.ts';

/** The context of a request that passed the host check. */
export type OperationContext = TenantHost & {
  /** The id of the operation that the request is for. */
  readonly operationId: string;
  readonly requestId: string;
  readonly trace: Trace;
  readonly language: Language;
  /** The host of the request with its port, as it was written there, in lower case. */
  readonly host: string;
  /** Of the connection to the service, whatever a proxy says. */
  readonly scheme: 'http' | 'https';
  /** A field of the request’s header; undefined where there is none, or several. */
  requestHeader(name: string): string | undefined;
  /** The client's address as rate limits count it. */
  readonly clientAddress: string;
  /** When the request came in, MS2000: the clock is read once a request. */
  readonly now: number;
  /** The time of the request and what has passed since: to be compared with what others have written meanwhile. */
  readonly currentTime: number;
  /** Aborts at the operation's deadline, with a TimeoutError: for work beside storage. */
  createDeadlineSignal(): AbortSignal;
  /**
   * Aborts when the client has gone away before it was answered, with a ClientGoneError: for work that only reads. A write
   * goes on without its client, who could not tell whether it was committed.
   */
  readonly clientSignal: AbortSignal;
  /** Runs a snapshot read under the operation's deadline. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** The same for work that is a single statement, which needs no transaction. A second one is refused. */
  readStatement<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs a snapshot read of a download, on a connection that only downloads use. It has the whole deadline for itself, since
   * the time before it may have been spent by a slow client, or waiting for a place.
   */
  readForDownload<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

/** The context of a public operation. */
export type PublicContext = OperationContext & {
  write<T>(work: (db: WriteDb) => Promise<T>): Promise<T>;
};

/** The context of a manager's operation, whose guard has checked the manager's rights. */
export type ManagerContext = OperationContext & {
  readonly principal: Principal;
  readonly scope: Scope;
  /** Runs a write transaction in the steps of {@link ManagerWrite}. An operation does so once. */
  write<G, O, L, T>(steps: ManagerWrite<G, O, L, T>): Promise<WriteAnswer<T>>;
  /**
   * In place of `write`, the first of two transactions, for an operation that asks others between them. With an
   * Idempotency-Key its answer is stored as provisional: it is replayed only if the second transaction never ends.
   */
  writeFirst<G, O, L, T, N>(steps: ManagerWrite<G, O, L, FirstWrite<T, N>>): Promise<FirstWriteResult<T, N>>;
  /** The second of two transactions. All rights are decided again. Its answer replaces the provisional one. */
  writeSecond<G, O, L, T>(steps: ManagerWrite<G, O, L, T>): Promise<WriteAnswer<T>>;
  /** The same where nothing is left to store but the answer: without an Idempotency-Key it only reads. */
  endWrite<G, O, T>(steps: ManagerWriteEnd<G, O, T>): Promise<WriteAnswer<T>>;
  /**
   * Runs a write transaction beside the first read of a download, with the whole deadline for itself. Does nothing for HEAD,
   * which downloads nothing. Rights are those of the request, as for the reads.
   */
  writeForDownload(work: (db: WriteDb) => Promise<void>): Promise<void>;
};

/** The steps that end a write without storing any more. */
export type ManagerWriteEnd<G, O, T> = Pick<ManagerWrite<G, O, unknown, T>, 'grant' | 'requireObject'> & {
  readonly answer: (object: O) => T;
};

/** What the first of two transactions made: its answer, and what the second one needs, if there is to be one. */
export type FirstWrite<T, N> = { readonly answer: T; readonly next?: N | undefined };

export type FirstWriteResult<T, N> =
  /** Nothing is left to do, or the request was a repeated one. */
  { readonly answer: WriteAnswer<T> } | { readonly next: N };

declare const answer: unique symbol;

/**
 * The answer to a write, made inside its transaction. The operation returns it as it is: with an Idempotency-Key it was
 * stored by the transaction, and may be the one to an earlier request.
 */
export type WriteAnswer<T> = { readonly [answer]: T };

/**
 * The steps of a manager's write. Rights are decided twice by the same functions: before anything is locked, and again
 * inside the transaction, since they may have changed meanwhile. Before a stored answer is replayed, `grant` and
 * `requireObject` decide whether the manager may still have it.
 */
export type ManagerWrite<G, O, L, T> = {
  /** Checks what the grants allow of the object: pure, throws a Problem. The other steps get its result. */
  readonly grant: (scope: Scope) => G;
  /**
   * Updates the lock rows of what will be changed, as the first statements of the transaction: once it has them, the
   * transaction sees everything that was committed before.
   */
  readonly lock?: (db: WriteDb, granted: G) => Promise<L>;
  /** Reads the object for the current rights. Throws a Problem if it does not exist or is not visible. */
  readonly requireObject: (db: Db, granted: G) => Promise<O>;
  /**
   * Decides, writes and makes the answer, or a refusal that still stores something. It may run several times, and has no
   * effect outside the database. Whatever refuses a repeated request belongs here: such a request gets the stored answer
   * instead.
   */
  readonly work: (db: WriteDb, object: O, locked: L) => Promise<T | CommittedRefusal>;
};

/**
 * What `work` returns where it refuses the request, and yet stores something: that an attempt failed. The transaction is
 * committed before the problem is thrown, and an Idempotency-Key stays free.
 */
export class CommittedRefusal {
  readonly problem: Problem;

  constructor(problem: Problem) {
    this.problem = problem;
  }
}
