// Runs an operation once for its Idempotency-Key, and replays the stored response for repeated requests.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { negotiateLanguage } from '../lib/language.ts';
import { Problem } from '../lib/problem.ts';
import { ManagerRequestContext } from './context/manager-request-context.ts';
import { principalOf, tenantHostOf } from './context/request-context.ts';
import type { HttpDependencies } from './http-dependencies.ts';
import { IdempotentWrite } from './idempotent-write.ts';
import type { ManagerOperation } from './operation.ts';
import { PreparedJson } from './send-result.ts';
import { pathOf, queryStringOf } from './request-target.ts';
import type { ValidatedInput } from './validation.ts';

type RunIdempotentInput = {
  readonly operation: ManagerOperation;
  readonly input: ValidatedInput;
  readonly key: string | string[];
  readonly reply: FastifyReply;
  readonly dependencies: HttpDependencies;
};

/** The result of the operation, or its stored response as PreparedJson. */
export async function runIdempotent(idempotentRun: RunIdempotentInput): Promise<unknown> {
  const { operation, input, reply, dependencies } = idempotentRun;
  const { request } = reply;
  const write = createIdempotentWrite(idempotentRun);
  const replayed = await write.findReplay();
  if (replayed !== undefined) return markReplayed(reply, replayed);
  const context = new ManagerRequestContext(operation, request, dependencies, write);
  let result: unknown;
  try {
    result = await operation.run(input, context);
  } catch (error) {
    return markReplayed(reply, await write.replayConcurrent(error));
  }
  if (write.isReserved) {
    await storeResponse(write, operation, result, request);
    // Not awaited: what it leaves, the next write with a key deletes.
    write
      .deleteExpiredRecords()
      .catch((error: unknown) =>
        request.log.debug({ err: error, requestId: request.id }, 'expired idempotency records were not deleted'),
      );
  }
  return result;
}

function createIdempotentWrite({ operation, key, reply, dependencies }: RunIdempotentInput): IdempotentWrite {
  const { request } = reply;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key)) throw new Problem('invalid-idempotency-key');
  return new IdempotentWrite({
    database: dependencies.databases.forTenant(tenantHostOf(request).tenant.name),
    deadlineMs: operation.deadlineMs,
    idempotencyKey: { managerId: principalOf(request).managerId, key },
    requestHash: hashRequest(operation, request),
    now: request.requestContext.now,
  });
}

function hashRequest({ method }: ManagerOperation, request: FastifyRequest): string {
  const parts = JSON.stringify([method, pathOf(request), queryStringOf(request), request.body ?? null]);
  return createHash('sha256').update(parts).digest('hex');
}

function markReplayed(reply: FastifyReply, replayed: PreparedJson): PreparedJson {
  reply.header('idempotency-replayed', 'true');
  return replayed;
}

async function storeResponse(
  write: IdempotentWrite,
  { status = 200, localised }: ManagerOperation,
  result: unknown,
  request: FastifyRequest,
): Promise<void> {
  const body = result instanceof PreparedJson ? result.text : JSON.stringify(result ?? null);
  const language = localised === true ? negotiateLanguage(request.headers['accept-language']) : null;
  try {
    await write.storeResponse({ status, body, language });
  } catch (error) {
    // The write is committed and its result is known: a 503 would report a failure that there was not.
    request.log.warn({ err: error, requestId: request.id }, 'the response for an Idempotency-Key was not stored');
  }
}
