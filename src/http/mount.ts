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
import { sendResult } from './answer.ts';
import { demand } from './demand.ts';
import { routeOf } from './route-of.ts';
import { sendDownload, type Download } from './download.ts';
import { onceByKey, type Reserve } from './idempotency.ts';
import {
  defaultMaxBodyBytes,
  invalidCode,
  type ManagerOperation,
  type Operation,
  isPicture,
  type PictureOperation,
} from './operation.ts';
import { bearerToken, type Principal, type SessionDirectory } from './principal.ts';
import { sendRepresentation, type Representation } from './representation.ts';
import { GuardedDoor, OpenDoor, type Parts } from './request-door.ts';
import { schemaCompiler, validatorOf, type Validator } from './validation.ts';
import { placeOf } from './visit.ts';

export function mount(app: FastifyInstance, operations: readonly Operation[], parts: Parts): void {
  const compile = schemaCompiler();
  const methods = new Map<string, HTTPMethods[]>();
  for (const operation of operations) {
    const url = routeOf(operation.path);
    methods.set(url, [...(methods.get(url) ?? []), operation.method]);
    app.route({
      method: operation.method,
      url,
      bodyLimit: operation.maxBodyBytes ?? defaultMaxBodyBytes,
      config: { operationId: operation.id },
      onRequest: guard(operation, parts),
      handler: isPicture(operation)
        ? picture(operation, validatorOf(operation, compile))
        : handler(operation, validatorOf(operation, compile), parts),
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
function guard({ access }: Operation, { sessions, limiter }: Parts): onRequestHookHandler[] {
  if (access === 'anyone') return [];
  const find = (request: FastifyRequest): ReturnType<SessionDirectory['find']> => {
    const { tenant, environment } = placeOf(request);
    const token = bearerToken(request.headers.authorization);
    return token === undefined ? undefined : sessions.find(tenant.name, environment, token);
  };
  const admit = (principal: Principal | undefined, request: FastifyRequest, reply: FastifyReply): void => {
    if (principal === undefined) throw new Problem('unauthenticated');
    request.visit.principal = principal;
    limiter.principal(`${placeOf(request).tenant.name}/${principal.managerId}`, reply);
    demand(access, principal);
  };
  return [
    (request, reply, done): void | Promise<void> => {
      const found = find(request);
      // Most principals are remembered, and need not wait for anything; the framework takes a promise as well.
      if (found instanceof Promise) return found.then((principal) => admit(principal, request, reply));
      done(refusal(() => admit(found, request, reply)));
    },
  ];
}

/** What a check throws, as hooks tell of it. */
function refusal(check: () => void): Error | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function handler(operation: Operation, validate: Validator, parts: Parts) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const search = searchOf(request);
    const input = validate({ params: request.params, search, body: request.body }, placeOf(request).tenant.name);
    const send = (result: unknown): FastifyReply | Promise<FastifyReply> =>
      operation.files === undefined
        ? sendResult(operation, result, request, reply)
        : sendDownload(operation, result as Download, reply);
    const result =
      operation.access === 'anyone'
        ? operation.run(input, new OpenDoor(operation, request, parts))
        : answer({ operation, input, search, request, reply, parts });
    return result instanceof Promise ? result.then(send) : send(result);
  };
}

function searchOf({ raw: { url = '' } }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** Answers bytes that everybody may see and keep. */
function picture(operation: PictureOperation, validate: Validator) {
  const invalid = invalidCode(operation, 'query');
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const place = placeOf(request);
    const search = searchOf(request);
    const { params } = validate({ params: request.params, search, body: undefined }, place.tenant.name);
    if (request.raw.url?.includes('?') === true)
      throw new Problem(invalid, { detail: 'A picture is described by its path alone.' });
    const send = (drawn: Representation): FastifyReply => sendRepresentation(drawn, request, reply);
    const drawn = operation.draw(params, place);
    return drawn instanceof Promise ? drawn.then(send) : send(drawn);
  };
}

type Asked = {
  readonly operation: ManagerOperation;
  readonly input: ReturnType<Validator>;
  readonly search: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly parts: Parts;
};

/** What a manager's operation answers, or answered before under the same Idempotency-Key. */
function answer({ operation, input, search, request, reply, parts }: Asked): unknown {
  const key = operation.idempotent === true ? request.headers['idempotency-key'] : undefined;
  if (key === undefined) return operation.run(input, new GuardedDoor(operation, request, parts));
  const { databases, clock } = parts;
  const now = (): number => toMs2000(clock());
  const run = async (reserve: Reserve): Promise<unknown> =>
    operation.run(input, new GuardedDoor(operation, request, parts, reserve));
  return onceByKey({ key, operation, search, body: request.body, request, databases, now }, run).then((first) => {
    if (first.replayed) reply.header('idempotency-replayed', 'true');
    return first.result;
  });
}
