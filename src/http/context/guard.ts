// Makes the guard of an operation: the checks of token, rate limit and rights, before the body is read.

import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Problem } from '../../lib/problem.ts';
import type { HttpDependencies } from '../http-dependencies.ts';
import type { Operation } from '../operation.ts';
import { authorize } from './authorize.ts';
import { bearerToken, type Principal, type PrincipalProvider } from './principal.ts';
import { accessOfRequest } from './request-access.ts';
import { tenantHostOf } from './request-context.ts';

type GuardDependencies = Pick<HttpDependencies, 'principalProvider' | 'limiter'>;

export function createGuard(
  { access }: Pick<Operation, 'access'>,
  { principalProvider, limiter }: GuardDependencies,
): onRequestHookHandler[] {
  if (access === 'anyone') return [];
  const admitPrincipal = (principal: Principal | undefined, request: FastifyRequest, reply: FastifyReply): void => {
    if (principal === undefined) throw new Problem('unauthenticated');
    request.requestContext.principal = principal;
    limiter.countPrincipal(`${tenantHostOf(request).tenant.name}/${principal.managerId}`, reply);
    authorize(accessOfRequest(access, request), principal);
  };
  return [
    (request, reply, done): void | Promise<void> => {
      const found = findPrincipal(principalProvider, request);
      // Most principals are cached and found at once; for the others the framework takes a promise as well.
      if (found instanceof Promise) return found.then((principal) => admitPrincipal(principal, request, reply));
      done(catchError(() => admitPrincipal(found, request, reply)));
    },
  ];
}

function findPrincipal(
  principalProvider: PrincipalProvider,
  request: FastifyRequest,
): ReturnType<PrincipalProvider['findPrincipal']> {
  const token = bearerToken(request.headers.authorization);
  if (token === undefined) return undefined;
  const { tenant, environment } = tenantHostOf(request);
  const { now } = request.requestContext;
  return principalProvider.findPrincipal({ tenant: tenant.name, environment, token, now });
}

/** What a check throws, as a hook reports it. */
function catchError(check: () => void): Error | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
