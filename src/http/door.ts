// What an operation is handed: where the request came in, who sent it, and the two ways to storage.

import type { Db, WriteDb } from '../database/dialect.ts';
import type { Language } from '../lib/language.ts';
import type { Scope } from '../permissions/scope.ts';
import type { Place } from './tenancy.ts';
import type { Principal } from './principal.ts';
import type { Trace } from './trace.ts';

/** A request that was let in at a tenant's host. */
export type Door = Place & {
  readonly requestId: string;
  readonly trace: Trace;
  readonly language: Language;
  /** The client's address as limits count it. */
  readonly address: string;
  /** The service's clock, MS2000. */
  now(): number;
  /** A snapshot read under the operation's deadline. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

/** A door that anyone may open. */
export type PublicDoor = Door & {
  write<T>(work: (db: WriteDb) => Promise<T>): Promise<T>;
};

/** A door opened by a manager who holds what the operation needs. */
export type ManagerDoor = Door & {
  readonly principal: Principal;
  readonly scope: Scope;
  /** A write transaction; the manager's rights are read again inside it, and the scope given is the fresh one. */
  write<T>(work: (db: WriteDb, scope: Scope) => Promise<T>): Promise<T>;
};
