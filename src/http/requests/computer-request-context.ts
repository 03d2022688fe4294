// The context of an operation of the Equipment API: a computer, and the bank for which it speaks.

import type { FastifyRequest } from 'fastify';
import type { Db, LockableDb } from '../../database/db.ts';
import { requireWholeBank, type WholeGrantedBank } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { ComputerPrincipal } from '../context/computer-principal.ts';
import type { ComputerContext } from '../context/operation-context.ts';
import { createComputerScope } from '../context/principal-scope.ts';
import type { ComputerOperation } from '../operations/operation.ts';
import type { OperationDependencies } from './http-dependencies.ts';
import { computerOf } from './request-context.ts';
import { RequestOperationContext } from './request-operation-context.ts';

export class ComputerRequestContext extends RequestOperationContext implements ComputerContext {
  readonly computer: ComputerPrincipal;

  constructor(operation: ComputerOperation, request: FastifyRequest, dependencies: OperationDependencies) {
    super(operation, request, dependencies);
    this.computer = computerOf(request);
  }

  get scope(): Scope {
    return createComputerScope(this, this.computer);
  }

  get bank(): WholeGrantedBank {
    return requireWholeBank(this.scope, this.computer);
  }

  write<T>(work: (db: LockableDb) => Promise<T>): Promise<T> {
    return this.writeTransaction(work);
  }

  wait<T>(work: () => Promise<T>): Promise<T> {
    return this.request.requestContext.waitingTime.measure(work);
  }

  readAfterWaiting<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.readWithWholeDeadline(work);
  }

  writeAfterWaiting<T>(work: (db: LockableDb) => Promise<T>): Promise<T> {
    return this.writeWithWholeDeadline(work);
  }
}
