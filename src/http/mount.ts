// Mounts operations: for each the guard (limits, token, rights), then validation, then its `run`, then the answer.

import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Databases } from '../database/databases.ts';
import { toMs2000 } from '../lib/ms2000.ts';
import { negotiateLanguage } from '../lib/language.ts';
import { Problem } from '../lib/problem.ts';
import { firstMissing, type Missing } from '../permissions/needs.ts';
import { makeScope } from '../permissions/scope.ts';
import { sendResult } from './answer.ts';
import type { Door, ManagerDoor, PublicDoor } from './door.ts';
import { onceByKey, type Reserve } from './idempotency.ts';
import {
  defaultMaxBodyBytes,
  needsOf,
  refusalFor,
  type Access,
  type ManagerOperation,
  type Operation,
} from './operation.ts';
import { bearerToken, type Principal, type SessionDirectory } from './principal.ts';
import type { RateLimiter } from './rate-limit.ts';
import { schemaCompiler, validatorOf } from './validation.ts';
import { placeOf } from './visit.ts';

export type Parts = {
  readonly databases: Databases;
  readonly sessions: SessionDirectory;
  readonly limiter: RateLimiter;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export function mount(app: FastifyInstance, operations: readonly Operation[], parts: Parts): void {
  const compile = schemaCompiler();
  const methods = new Map<string, HTTPMethods[]>();
  for (const operation of operations) {
    const url = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    methods.set(url, [...(methods.get(url) ?? []), operation.method]);
    app.route({
      method: operation.method,
      url,
      bodyLimit: operation.maxBodyBytes ?? defaultMaxBodyBytes,
      config: { operationId: operation.id },
      onRequest: guard(operation, parts),
      handler: handler(operation, validatorOf(operation, compile), parts),
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
function guard(operation: Operation, { sessions, limiter }: Parts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.visit.operationId = operation.id;
    if (operation.access === 'anyone') return;
    const { tenant, environment } = placeOf(request);
    const token = bearerToken(request.headers.authorization);
    const principal = token === undefined ? undefined : await sessions.find(tenant.name, environment, token);
    if (principal === undefined) throw new Problem('unauthenticated');
    request.visit.principal = principal;
    limiter.principal(`${tenant.name}/${principal.managerId}`, reply);
    demand(operation.access, principal);
  };
}

/** Throws the group's refusal for the first thing missing. */
export function demand(access: Access, principal: Principal): void {
  const missing = firstMissing(needsOf(access), principal);
  if (missing !== undefined) throw refusalOf(access, missing);
}

function refusalOf(access: Access, missing: Missing): Problem {
  const { code, reason } = refusalFor(access, missing);
  return new Problem(code, { detail: inWords(missing), ...(reason === undefined ? {} : { reason }) });
}

function inWords(missing: Missing): string {
  if (missing.kind === 'tab') return `The operation needs the Tab ${missing.tabs.join(' or ')}.`;
  if (missing.kind === 'permission') return `The operation needs the permission ${missing.permission}.`;
  return `The operation needs a ${missing.breadth}-wide grant.`;
}

function handler(operation: Operation, validate: ReturnType<typeof validatorOf>, parts: Parts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { url = '' } = request.raw;
    const at = url.indexOf('?');
    const place = placeOf(request);
    const search = at < 0 ? '' : url.slice(at + 1);
    const input = validate({ params: request.params, search, body: request.body }, place.tenant.name);
    if (operation.access === 'anyone') {
      const door = publicDoor(operation, request, parts);
      return sendResult(operation, await operation.run(input, door), door.language, request, reply);
    }
    const send = (result: unknown): FastifyReply => sendResult(operation, result, languageOf(request), request, reply);
    const key = operation.idempotent === true ? request.headers['idempotency-key'] : undefined;
    if (key === undefined) return send(await operation.run(input, managerDoor(operation, request, parts)));
    const first = await onceByKey(
      {
        key,
        operation,
        search,
        body: request.body,
        request,
        databases: parts.databases,
        now: () => toMs2000(parts.clock()),
      },
      (reserve) => operation.run(input, managerDoor(operation, request, parts, reserve)),
    );
    if (first.replayed) reply.header('idempotency-replayed', 'true');
    return send(first.result);
  };
}

function commonDoor({ deadlineMs }: Operation, request: FastifyRequest, { databases, clock }: Parts): Door {
  const { trace, address, startedAtMs } = request.visit;
  const { tenant, environment } = placeOf(request);
  const now = (): number => toMs2000(clock());
  return {
    tenant,
    environment,
    requestId: request.id,
    trace,
    language: languageOf(request),
    address,
    now,
    read: (work) => databases.of(tenant.name).read({ deadlineMs: remaining(startedAtMs, deadlineMs) }, work),
  };
}

const languageOf = (request: FastifyRequest) => negotiateLanguage(request.headers['accept-language']);

/** What is left of an operation's deadline, which begins with the request. */
function remaining(startedAtMs: number, deadlineMs: number): number {
  return Math.max(1, Math.round(startedAtMs + deadlineMs - performance.now()));
}

function publicDoor(operation: Operation, request: FastifyRequest, parts: Parts): PublicDoor {
  const door = commonDoor(operation, request, parts);
  const { startedAtMs } = request.visit;
  return {
    ...door,
    write: (work) =>
      parts.databases.of(door.tenant.name).write({ deadlineMs: remaining(startedAtMs, operation.deadlineMs) }, work),
  };
}

function managerDoor(
  operation: ManagerOperation,
  request: FastifyRequest,
  parts: Parts,
  reserve?: Reserve,
): ManagerDoor {
  const door = commonDoor(operation, request, parts);
  const { principal, startedAtMs } = request.visit;
  if (principal === undefined) throw new Error('a manager operation ran without a principal');
  const scopeOf = ({ grants, retentionDays }: Principal) =>
    makeScope(door.tenant.name, door.environment, grants, retentionDays);
  return {
    ...door,
    principal,
    scope: scopeOf(principal),
    write: (work) =>
      parts.databases
        .of(door.tenant.name)
        .write({ deadlineMs: remaining(startedAtMs, operation.deadlineMs) }, async (db) => {
          const fresh = await parts.sessions.reread(db, principal);
          if (fresh === undefined) throw new Problem('unauthenticated');
          demand(operation.access, fresh);
          await reserve?.(db);
          return work(db, scopeOf(fresh));
        }),
  };
}
