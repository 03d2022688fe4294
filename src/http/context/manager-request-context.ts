// The context of a manager's operation. Its writes check the manager's rights again inside the transaction.

import type { FastifyRequest } from 'fastify';
import type { WriteDb } from '../../database/db.ts';
import { Problem } from '../../lib/problem.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { HttpDependencies } from '../http-dependencies.ts';
import type { ManagerOperation } from '../operation.ts';
import { authorize } from './authorize.ts';
import type { ManagerContext, ManagerWrite } from './operation-context.ts';
import { createPrincipalScope } from './principal-scope.ts';
import type { Principal } from './principal.ts';
import { principalOf } from './request-context.ts';
import { RequestOperationContext } from './request-operation-context.ts';

/** Reserves an Idempotency-Key inside the write's transaction. */
export type KeyReservation = { reserve(db: WriteDb): Promise<void> };

export class ManagerRequestContext extends RequestOperationContext implements ManagerContext {
  readonly principal: Principal;
  readonly #operation: ManagerOperation;
  readonly #keyReservation: KeyReservation | undefined;

  constructor(
    operation: ManagerOperation,
    request: FastifyRequest,
    dependencies: HttpDependencies,
    keyReservation?: KeyReservation,
  ) {
    super(operation, request, dependencies);
    this.principal = principalOf(request);
    this.#operation = operation;
    this.#keyReservation = keyReservation;
  }

  get scope(): Scope {
    return createPrincipalScope(this, this.principal);
  }

  async write<G, L, T>({ grant, lock, work }: ManagerWrite<G, L, T>): Promise<T> {
    const granted = grant(this.scope);
    return this.writeTransaction(async (db) => {
      const locked = await lock?.(db, granted);
      const principal = await this.#readCurrentPrincipal(db);
      await this.#keyReservation?.reserve(db);
      return work(db, grant(createPrincipalScope(this, principal)), locked as L);
    });
  }

  /** Throws a Problem where the session has ended, or the rights are not enough any more. */
  async #readCurrentPrincipal(db: WriteDb): Promise<Principal> {
    const currentTime = this.now + Math.floor(this.elapsedMs());
    const principal = await this.dependencies.principalProvider.readCurrentPrincipal(db, this.principal, currentTime);
    if (principal === undefined) throw new Problem('unauthenticated');
    authorize(this.#operation.access, principal);
    return principal;
  }
}
