// The context of a manager's operation. Its writes check the manager's rights again inside the transaction, and before a
// stored answer is replayed.

import type { FastifyRequest } from 'fastify';
import type { Db, LockableDb, WriteDb } from '../../database/db.ts';
import { StorageError } from '../../database/errors.ts';
import { takeLocks, type Lock, type LockResults } from '../../database/locks.ts';
import { Problem } from '../../lib/problem.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { CursorKey } from '../pagination/cursor.ts';
import { formatListTarget } from '../protocol/request-target.ts';
import type { OperationDependencies } from './http-dependencies.ts';
import type { ManagerOperation } from '../operations/operation.ts';
import { authorize } from './authorize.ts';
import {
  CommittedRefusal,
  type FirstWrite,
  type FirstWriteResult,
  type ManagerContext,
  type ManagerWrite,
  type ManagerWriteEnd,
  type WriteAnswer,
} from '../context/operation-context.ts';
import type { PreparedJson } from '../representations/results.ts';
import { createPrincipalScope } from '../context/principal-scope.ts';
import type { Principal } from '../context/principal.ts';
import { accessOfRequest } from './request-access.ts';
import { principalOf } from './request-context.ts';
import { RequestOperationContext } from './request-operation-context.ts';

/** A write with the Idempotency-Key of a request. The answers that its functions return are sent. */
export type KeyedWrite = {
  /** There was an earlier request with the key: nothing more is written. */
  readonly isRepeated: boolean;
  /** Looks for an earlier request. */
  lookUp(db: Db): Promise<void>;
  /** Hashes the request. Throws 422 if the earlier request was a different one, and 409 while it runs. */
  prepare(): Promise<void>;
  /** The answer to the earlier request, after `prepare`. */
  replay(): PreparedJson<never>;
  /** Reserves the key inside the transaction of the write. */
  reserve(db: WriteDb): Promise<void>;
  /** Stores the answer in the same transaction. */
  storeAnswer(db: WriteDb, answer: unknown): Promise<PreparedJson<never>>;
  /** Stores an answer that is replayed if the write ends without another one; undefined: the write is then run again. */
  storeProvisionalAnswer(db: WriteDb, result: unknown): Promise<void>;
  /** Frees the key that this transaction, or the first one of two, has reserved. */
  release(db: WriteDb): Promise<void>;
  /** Whether the write failed only because a concurrent request had reserved the key. */
  readonly lostToConcurrent: boolean;
};

export class ManagerRequestContext extends RequestOperationContext implements ManagerContext {
  readonly principal: Principal;
  readonly #operation: ManagerOperation;
  readonly #keyedWrite: KeyedWrite | undefined;

  constructor(
    operation: ManagerOperation,
    request: FastifyRequest,
    dependencies: OperationDependencies,
    keyedWrite?: KeyedWrite,
  ) {
    super(operation, request, dependencies);
    this.principal = principalOf(request);
    this.#operation = operation;
    this.#keyedWrite = keyedWrite;
  }

  get scope(): Scope {
    return createPrincipalScope(this, this.principal);
  }

  get listTarget(): string {
    const { id, localised } = this.#operation;
    return [id, localised === true ? this.language : '', formatListTarget(this.request)].join(' ');
  }

  readCursorKey(): Promise<CursorKey> {
    return this.dependencies.cursorKeys.get(this);
  }

  async write<G, O, L extends readonly Lock[], T>(steps: ManagerWrite<G, O, L, T>): Promise<WriteAnswer<T>> {
    const { written, replayed } = await this.#writeOrReplay(steps, (db, result) => this.#storeAnswer(db, result));
    return replayed ?? written;
  }

  async writeFirst<G, O, L extends readonly Lock[], T, N>(
    steps: ManagerWrite<G, O, L, FirstWrite<T, N>>,
  ): Promise<FirstWriteResult<T, N>> {
    const { written, replayed } = await this.#writeOrReplay(steps, async (db, { answer, next }) => {
      if (next === undefined) return { answer: await this.#storeAnswer(db, answer as T) };
      await this.#keyedWrite?.storeProvisionalAnswer(db, answer);
      return { next };
    });
    return replayed === undefined ? written : { answer: replayed };
  }

  async writeSecond<G, O, L extends readonly Lock[], T>(steps: ManagerWrite<G, O, L, T>): Promise<WriteAnswer<T>> {
    const granted = steps.grant(this.scope);
    return afterFirstWrite(() =>
      this.#commit(
        (db) => this.#perform(db, granted, steps),
        (db, result) => this.#storeAnswer(db, result),
      ),
    );
  }

  async endWrite<G, O, T>({ grant, requireObject, answer }: ManagerWriteEnd<G, O, T>): Promise<WriteAnswer<T>> {
    const readAnswer = async (db: Db): Promise<T> =>
      answer(await requireObject(db, grant(await this.#readCurrentScope(db))));
    return afterFirstWrite(() =>
      this.#keyedWrite === undefined
        ? this.read(readAnswer)
        : this.writeTransaction(async (db) => this.#storeAnswer(db, await readAnswer(db))),
    );
  }

  async writeBesideReads(work: (db: LockableDb) => Promise<void>, mostMs?: number): Promise<void> {
    if (this.request.method === 'HEAD') return;
    try {
      await this.writeWithWholeDeadline(work, mostMs);
    } catch (error) {
      // The client has changed nothing, and may ask again.
      const isUnknown = error instanceof StorageError && error.failure === 'outcome-unknown';
      throw isUnknown ? new StorageError('unavailable', error) : error;
    }
  }

  /** `store` turns the result of the steps into the result of the write, inside the transaction. */
  async #writeOrReplay<G, O, L extends readonly Lock[], T, R>(
    steps: ManagerWrite<G, O, L, T>,
    store: (db: WriteDb, result: T) => Promise<R>,
  ): Promise<{ written: R; replayed?: never } | { written?: never; replayed: PreparedJson<never> }> {
    const granted = steps.grant(this.scope);
    const keyedWrite = this.#keyedWrite;
    const { prepare } = steps;
    const writeOnce = async () => {
      if (prepare !== undefined) await prepare(await this.read((db) => steps.requireObject(db, granted)));
      await keyedWrite?.prepare();
      return {
        written: await this.#commit((db) => {
          const reserve = keyedWrite === undefined ? undefined : () => keyedWrite.reserve(db);
          return this.#perform(db, granted, steps, reserve);
        }, store),
      };
    };
    if (keyedWrite === undefined) return writeOnce();
    if (!keyedWrite.isRepeated) {
      try {
        return await writeOnce();
      } catch (error) {
        if (!keyedWrite.lostToConcurrent) throw error;
        await this.read((db) => keyedWrite.lookUp(db));
        if (!keyedWrite.isRepeated) throw error;
      }
    }
    await this.read(async (db) => this.#requireObject(db, steps));
    await keyedWrite.prepare();
    return { replayed: keyedWrite.replay() };
  }

  /** Throws the problem of a refusal after the commit. */
  async #commit<T, R>(
    perform: (db: LockableDb) => Promise<T | CommittedRefusal>,
    store: (db: WriteDb, result: T) => Promise<R>,
  ): Promise<R> {
    const ended = await this.writeTransaction(async (db) => {
      const result = await perform(db);
      if (!(result instanceof CommittedRefusal)) return { stored: await store(db, result) };
      await this.#keyedWrite?.release(db);
      return { refusal: result.problem };
    });
    if ('refusal' in ended) throw ended.refusal;
    return ended.stored;
  }

  async #perform<G, O, L extends readonly Lock[], T>(
    db: LockableDb,
    granted: G,
    steps: ManagerWrite<G, O, L, T>,
    reserveKey?: () => Promise<void>,
  ): Promise<T | CommittedRefusal> {
    const locked = (await takeLocks(db, steps.locks?.(granted) ?? [])) as LockResults<L>;
    const object = await this.#requireObject(db, steps, reserveKey);
    return steps.work(db, object, locked);
  }

  /** The object, if the current rights still are enough for it. */
  async #requireObject<G, O>(
    db: Db,
    {
      grant,
      requireObject,
      needsOf,
    }: Pick<ManagerWrite<G, O, readonly Lock[], unknown>, 'grant' | 'requireObject' | 'needsOf'>,
    reserveKey?: () => Promise<void>,
  ): Promise<O> {
    const principal = await this.#readCurrentPrincipal(db);
    const granted = grant(createPrincipalScope(this, principal));
    await reserveKey?.();
    const object = await requireObject(db, granted);
    if (needsOf !== undefined) authorize(needsOf(object), principal);
    return object;
  }

  /** Returns what is sent as the answer. */
  async #storeAnswer<T>(db: WriteDb, answer: T): Promise<WriteAnswer<T>> {
    return this.#keyedWrite === undefined ? answer : this.#keyedWrite.storeAnswer(db, answer);
  }

  async #readCurrentScope(db: Db): Promise<Scope> {
    return createPrincipalScope(this, await this.#readCurrentPrincipal(db));
  }

  /** Throws a Problem if the session has ended, or the rights are no longer sufficient. */
  async #readCurrentPrincipal(db: Db): Promise<Principal> {
    const { principalProvider } = this.dependencies;
    const principal = await principalProvider.readCurrentPrincipal(db, this.principal, this.currentTime);
    if (principal === undefined) throw new Problem('unauthenticated');
    authorize(accessOfRequest(this.#operation.access, this.request), principal);
    return principal;
  }
}

/**
 * The first transaction was committed: a storage failure must not invite the client to repeat the request and so write
 * twice.
 */
async function afterFirstWrite<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StorageError ? new StorageError('outcome-unknown', error) : error;
  }
}
