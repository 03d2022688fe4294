// Creates the guard of an operation: the checks of token, rate limit and rights, before the body is read.

import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { Problem } from '../../lib/problem.ts';
import { notGrantedReason } from '../../permissions/needs.ts';
import type { HttpDependencies } from './http-dependencies.ts';
import type { Operation } from '../operations/operation.ts';
import { acceptsServiceKey } from '../operations/operation-properties.ts';
import { authorize } from './authorize.ts';
import { bearerToken, type Principal, type PrincipalProvider } from '../context/principal.ts';
import { accessOfRequest } from './request-access.ts';
import { tenantHostOf } from './request-context.ts';

type GuardDependencies = Pick<
  HttpDependencies,
  'principalProvider' | 'serviceProvider' | 'computerProvider' | 'limiter'
>;

type FindPrincipal = (request: FastifyRequest) => ReturnType<PrincipalProvider['findPrincipal']>;

type GuardHook = onRequestHookHandler | onRequestAsyncHookHandler;

export function createGuard(operation: Operation, dependencies: GuardDependencies): GuardHook[] {
  const { access, id } = operation;
  if (access === 'anyone') return [];
  if (access === 'computer') return [createComputerGuard(dependencies)];
  const { limiter } = dependencies;
  const findPrincipal = createPrincipalFinder(operation, dependencies);
  const admitPrincipal = (principal: Principal | undefined, request: FastifyRequest, reply: FastifyReply): void => {
    if (principal === undefined) throw new Problem('unauthenticated');
    request.requestContext.principal = principal;
    limiter.countPrincipal(tenantHostOf(request).tenant.name, String(principal.id), reply);
    if (principal.grantedOperations?.has(id) === false) throw createNotGrantedProblem();
    authorize(accessOfRequest(access, request), principal);
  };
  return [
    (request, reply, done): void | Promise<void> => {
      const found = findPrincipal(request);
      // Most principals are cached and returned synchronously; otherwise the framework waits for the promise.
      if (found instanceof Promise) return found.then((principal) => admitPrincipal(principal, request, reply));
      done(catchError(() => admitPrincipal(found, request, reply)));
    },
  ];
}

/** The key of a computer is looked up for each request, so that a revoked one is refused at once. */
function createComputerGuard({ computerProvider, limiter }: GuardDependencies): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const key = bearerToken(request.headers.authorization);
    const { tenant, environment } = tenantHostOf(request);
    const { now } = request.requestContext;
    const input = { tenant: tenant.name, environment, now };
    const computer = key === undefined ? undefined : await computerProvider?.findComputer({ ...input, key });
    if (computer === undefined) throw new Problem('unauthenticated');
    request.requestContext.computer = computer;
    limiter.countPrincipal(tenant.name, `computer/${computer.bankId}-${computer.computerId}`, reply);
  };
}

const createNotGrantedProblem = (): Problem =>
  new Problem('forbidden', {
    reason: notGrantedReason,
    detail: 'The service may not call this operation with its key.',
  });

/** An operation that accepts no service keys treats a service key like an unknown token. */
function createPrincipalFinder(
  operation: Operation,
  { principalProvider, serviceProvider }: GuardDependencies,
): FindPrincipal {
  const takesKeys = acceptsServiceKey(operation);
  return (request) => {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) return undefined;
    const { tenant, environment } = tenantHostOf(request);
    const { now, clientAddress: address } = request.requestContext;
    const input = { tenant: tenant.name, environment, token, now };
    if (serviceProvider?.isKey(token) !== true) return principalProvider.findPrincipal(input);
    return takesKeys ? serviceProvider.findPrincipal({ ...input, address }) : undefined;
  };
}

/** An error that a check throws, as a hook reports it. */
function catchError(check: () => void): Error | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
