// Mounts operations: for each the guard (limits, token, rights), then validation, then its `run`, then the answer.

import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestHookHandler,
} from 'fastify';
import { toMs2000 } from '../lib/ms2000.ts';
import { Problem } from '../lib/problem.ts';
import { sendResult } from './send-result.ts';
import { authorize } from './context/authorize.ts';
import { toRouterPath } from './router-path.ts';
import { sendDownload, type Download } from './download.ts';
import { runIdempotent, type ReserveKey } from './idempotency.ts';
import {
  defaultMaxBodyBytes,
  validationCode,
  type ManagerOperation,
  type Operation,
  isImageOperation,
  type ImageOperation,
} from './operation.ts';
import { bearerToken, type Principal, type PrincipalProvider } from './context/principal.ts';
import { sendRepresentation, type Representation } from './representation.ts';
import {
  ManagerRequestContext,
  PublicRequestContext,
  type HttpDependencies,
} from './context/create-operation-context.ts';
import { createSchemaCompiler, createValidator, type Validator } from './validation.ts';
import { tenantHostOf } from './context/request-context.ts';

export function mountOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  dependencies: HttpDependencies,
): void {
  const compile = createSchemaCompiler();
  const methods = new Map<string, HTTPMethods[]>();
  for (const operation of operations) {
    const url = toRouterPath(operation.path);
    methods.set(url, [...(methods.get(url) ?? []), operation.method]);
    app.route({
      method: operation.method,
      url,
      bodyLimit: operation.maxBodyBytes ?? defaultMaxBodyBytes,
      config: { operationId: operation.id },
      onRequest: createGuard(operation, dependencies),
      handler: isImageOperation(operation)
        ? createImageHandler(operation, createValidator(operation, compile))
        : createHandler(operation, createValidator(operation, compile), dependencies),
    });
  }
  for (const [url, declared] of methods) refuseOtherMethods(app, url, declared);
}

/** Answers OPTIONS, and 405 with Allow for every method that a known route does not have. */
export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  declared: readonly HTTPMethods[],
  config: FastifyContextConfig = {},
): void {
  const allowed = [...declared, ...(declared.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const allow = allowed.join(', ');
  app.route({
    method: 'OPTIONS',
    url,
    config,
    handler: (_request, reply) => reply.code(204).header('allow', allow).send(),
  });
  const refused = app.supportedMethods.filter((method) => !allowed.includes(method));
  // Before the body is looked at: what it is does not matter here.
  const refuse = (): never => {
    throw new Problem('method-not-allowed', { headers: { allow } });
  };
  app.route({ method: refused, url, config, onRequest: refuse, handler: refuse });
}

/** Token, limits and rights: everything that is decided before the body is read. */
function createGuard({ access }: Operation, { sessions, limiter }: HttpDependencies): onRequestHookHandler[] {
  if (access === 'anyone') return [];
  const findPrincipal = (request: FastifyRequest): ReturnType<PrincipalProvider['findPrincipal']> => {
    const { tenant, environment } = tenantHostOf(request);
    const token = bearerToken(request.headers.authorization);
    return token === undefined ? undefined : sessions.findPrincipal(tenant.name, environment, token);
  };
  const authorizePrincipal = (principal: Principal | undefined, request: FastifyRequest, reply: FastifyReply): void => {
    if (principal === undefined) throw new Problem('unauthenticated');
    request.requestContext.principal = principal;
    limiter.countPrincipal(`${tenantHostOf(request).tenant.name}/${principal.managerId}`, reply);
    authorize(access, principal);
  };
  return [
    (request, reply, done): void | Promise<void> => {
      const found = findPrincipal(request);
      // Most principals are remembered, and need not wait for anything; the framework takes a promise as well.
      if (found instanceof Promise) return found.then((principal) => authorizePrincipal(principal, request, reply));
      done(catchError(() => authorizePrincipal(found, request, reply)));
    },
  ];
}

/** What a check throws, as hooks tell of it. */
function catchError(check: () => void): Error | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function createHandler(operation: Operation, validate: Validator, dependencies: HttpDependencies) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const queryString = queryStringOf(request);
    const input = validate(
      { params: request.params, search: queryString, body: request.body },
      tenantHostOf(request).tenant.name,
    );
    const send = (result: unknown): FastifyReply | Promise<FastifyReply> =>
      operation.downloadTypes === undefined
        ? sendResult(operation, result, request, reply)
        : sendDownload(operation, result as Download, reply);
    const result =
      operation.access === 'anyone'
        ? operation.run(input, new PublicRequestContext(operation, request, dependencies))
        : runManagerOperation({ operation, input, queryString, request, reply, dependencies });
    return result instanceof Promise ? result.then(send) : send(result);
  };
}

function queryStringOf({ raw: { url = '' } }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** Answers bytes that everybody may see and keep. */
function createImageHandler(operation: ImageOperation, validate: Validator) {
  const invalid = validationCode(operation, 'query');
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const tenantHost = tenantHostOf(request);
    const queryString = queryStringOf(request);
    const { params } = validate(
      { params: request.params, search: queryString, body: undefined },
      tenantHost.tenant.name,
    );
    if (request.raw.url?.includes('?') === true)
      throw new Problem(invalid, { detail: 'A picture is described by its path alone.' });
    const send = (rendered: Representation): FastifyReply => sendRepresentation(rendered, request, reply);
    const rendered = operation.render(params, tenantHost);
    return rendered instanceof Promise ? rendered.then(send) : send(rendered);
  };
}

type ManagerRequest = {
  readonly operation: ManagerOperation;
  readonly input: ReturnType<Validator>;
  readonly queryString: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly dependencies: HttpDependencies;
};

/** What a manager's operation answers, or answered before under the same Idempotency-Key. */
function runManagerOperation({ operation, input, queryString, request, reply, dependencies }: ManagerRequest): unknown {
  const key = operation.acceptsIdempotencyKey === true ? request.headers['idempotency-key'] : undefined;
  if (key === undefined) return operation.run(input, new ManagerRequestContext(operation, request, dependencies));
  const { databases, clock } = dependencies;
  const now = (): number => toMs2000(clock());
  const run = async (reserve: ReserveKey): Promise<unknown> =>
    operation.run(input, new ManagerRequestContext(operation, request, dependencies, reserve));
  return runIdempotent({ key, operation, queryString, body: request.body, request, databases, now }, run).then(
    (idempotentResult) => {
      if (idempotentResult.isReplayed) reply.header('idempotency-replayed', 'true');
      return idempotentResult.result;
    },
  );
}
