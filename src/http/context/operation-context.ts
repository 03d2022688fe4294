// The contexts that operations get: host, principal and time of the request, and access to the database.

import type { Db, LockableDb, WriteDb } from '../../database/db.ts';
import type { Lock, LockResults } from '../../database/locks.ts';
import type { Language } from '../../lib/text/language.ts';
import type { Problem } from '../../lib/problem.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import type { Needs } from '../../permissions/needs.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { ComputerPrincipal } from './computer-principal.ts';
import type { TenantHost } from './tenancy.ts';
import type { PreparedJson } from '../representations/results.ts';
import type { CursorKey } from '../pagination/cursor.ts';
import type { Principal } from './principal.ts';
import type { Trace } from '../protocol/trace.ts';

/** The context of a request that passed the host check. */
export type OperationContext = TenantHost & {
  /** The id of the operation that the request is for. */
  readonly operationId: string;
  readonly requestId: string;
  readonly trace: Trace;
  readonly language: Language;
  /** The host of the request with its port, as the client sent it but in lower case. */
  readonly host: string;
  /** The scheme of the connection to the service, whatever a proxy says. */
  readonly scheme: 'http' | 'https';
  /** A header field of the request; undefined if it is missing or repeated. */
  requestHeader(name: string): string | undefined;
  /** The client's address as rate limits count it. */
  readonly clientAddress: string;
  /** The time at which the request arrived, MS2000: the clock is read once for each request. */
  readonly now: number;
  /**
   * The time of the request plus the time that has passed since, for comparison with what others have written
   * meanwhile.
   */
  readonly currentTime: number;
  /** Aborts at the operation's deadline, with a TimeoutError: for work outside of storage. */
  createDeadlineSignal(): AbortSignal;
  /**
   * Aborts with a ClientGoneError when the client goes away before it is answered: for work that only reads. A write
   * continues without its client, which could not tell whether it was committed.
   */
  readonly clientSignal: AbortSignal;
  /** Runs a snapshot read under the operation's deadline. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Reads by a single statement, which needs no transaction. A second statement is refused. */
  readStatement<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs a snapshot read of a download, on a connection that only downloads use. It has the whole deadline for itself,
   * since a slow client or the download queue may have used up the time before it.
   */
  readForDownload<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

/** The context of a public operation. */
export type PublicContext = OperationContext & {
  /** Runs a write transaction, which takes its locks first. */
  write<T>(work: (db: LockableDb) => Promise<T>): Promise<T>;
};

/** The context of an operation of the Equipment API, whose guard has found the computer of the key. */
export type ComputerContext = OperationContext & {
  readonly computer: ComputerPrincipal;
  /** The bank of the computer. */
  readonly bank: WholeGrantedBank;
  /** All of the bank, and nothing else. */
  readonly scope: Scope;
  /** Runs a write transaction, which takes its locks first. */
  write<T>(work: (db: LockableDb) => Promise<T>): Promise<T>;
  /** Waits for something to happen: the log does not take a request that waits for a slow one. */
  wait<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Does what `read` and `write` do for work that begins long after the request: each has the whole deadline for
   * itself.
   */
  readAfterWaiting<T>(work: (db: Db) => Promise<T>): Promise<T>;
  writeAfterWaiting<T>(work: (db: LockableDb) => Promise<T>): Promise<T>;
};

/** The context of a manager's operation, whose guard has checked the manager's rights. */
export type ManagerContext = OperationContext & {
  readonly principal: Principal;
  readonly scope: Scope;
  /** The list that the request is for: operation, language, path and filters, whatever the page. */
  readonly listTarget: string;
  /** The tenant's key for cursors. */
  readCursorKey(): Promise<CursorKey>;
  /** Runs a write transaction in the steps of {@link ManagerWrite}. An operation does so once. */
  write<G, O, L extends readonly Lock[], T>(steps: ManagerWrite<G, O, L, T>): Promise<WriteAnswer<T>>;
  /**
   * Used instead of `write`: the first of two transactions, for an operation that calls other systems between them.
   * With an Idempotency-Key its answer is stored as provisional: it is replayed only if the second transaction never
   * ends. Without an answer, a repeated request then runs the whole write again.
   */
  writeFirst<G, O, L extends readonly Lock[], T, N>(
    steps: ManagerWrite<G, O, L, FirstWrite<T, N>>,
  ): Promise<FirstWriteResult<T, N>>;
  /** The second of two transactions. All rights are decided again. Its answer replaces the provisional one. */
  writeSecond<G, O, L extends readonly Lock[], T>(steps: ManagerWrite<G, O, L, T>): Promise<WriteAnswer<T>>;
  /** Ends a write of which only the answer is left to store: without an Idempotency-Key it only reads. */
  endWrite<G, O, T>(steps: ManagerWriteEnd<G, O, T>): Promise<WriteAnswer<T>>;
  /**
   * Runs a write transaction in addition to the reads of an operation that only reads, such as the audit of a download,
   * with the whole deadline for itself, or `mostMs` if that is less. Does nothing for HEAD, whose answer nobody has. The
   * rights are those of the request, as for the reads. An unknown outcome is a failure of the read, which may be repeated.
   */
  writeBesideReads(work: (db: LockableDb) => Promise<void>, mostMs?: number): Promise<void>;
};

/** The steps that end a write without storing anything else. */
export type ManagerWriteEnd<G, O, T> = Pick<ManagerWrite<G, O, readonly Lock[], T>, 'grant' | 'requireObject'> & {
  readonly answer: (object: O) => T;
};

/**
 * The result of the first of two transactions: its answer, and the input of the second one if that is needed. It has no answer if
 * nothing that was requested has happened without what comes between the two.
 */
export type FirstWrite<T, N> = { readonly answer: T | undefined; readonly next?: N | undefined };

export type FirstWriteResult<T, N> =
  /** Nothing is left to do, or the request was a repeated one. */
  { readonly answer: WriteAnswer<T> } | { readonly next: N };

/**
 * The answer to a write, created inside its transaction. The operation returns it unchanged: with an Idempotency-Key it
 * is the text that the transaction stored, or that an earlier request stored.
 */
export type WriteAnswer<T> = T | PreparedJson<never>;

/**
 * The steps of a manager's write. Rights are decided twice by the same functions: before anything is locked, and again
 * inside the transaction, since they may have changed meanwhile. Before a stored answer is replayed, `grant` and
 * `requireObject` decide whether the manager may still have it.
 */
export type ManagerWrite<G, O, L extends readonly Lock[], T> = {
  /** Checks what the grants allow for the object: pure, throws a Problem. The other steps get its result. */
  readonly grant: (scope: Scope) => G;
  /**
   * The locks of what will be changed, in any order (database/locks.ts). They are the first statements of the
   * transaction: after them it sees everything that was committed before.
   */
  readonly locks?: (granted: G) => readonly [...L];
  /** Reads the object for the current rights. Throws a Problem if it does not exist or is not visible. */
  readonly requireObject: (db: Db, granted: G) => Promise<O>;
  /** What the object needs, if that depends on what is stored, in addition to the access of the operation. */
  readonly needsOf?: (object: O) => Partial<Needs>;
  /**
   * What takes long, such as a slow hash: runs once, before anything is locked, with the object as it is then. It first
   * throws what `work` would throw for that object, since nothing slow is done for a request that is refused. Does not
   * run for a repeated request.
   */
  readonly prepare?: (object: O) => Promise<void>;
  /**
   * Decides, writes and returns the answer, or a refusal that still stores something. It may run several times, and has
   * no effect outside the database. Checks that a repeated request would fail belong here: such a request gets the
   * stored answer instead.
   */
  readonly work: (db: WriteDb, object: O, locked: LockResults<L>) => Promise<T | CommittedRefusal>;
};

/**
 * The result of `work` if it refuses the request but stores something, such as a failed attempt. The transaction is
 * committed before the problem is thrown, and an Idempotency-Key stays free.
 */
export class CommittedRefusal {
  readonly problem: Problem;

  constructor(problem: Problem) {
    this.problem = problem;
  }
}
