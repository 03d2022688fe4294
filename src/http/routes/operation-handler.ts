// Creates the handler of an operation: validation, `run`, and the response.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { applyIfMatch, toIfMatchError } from '../requests/if-match.ts';
import { ComputerRequestContext } from '../requests/computer-request-context.ts';
import { ManagerRequestContext } from '../requests/manager-request-context.ts';
import { tenantHostOf } from '../requests/request-context.ts';
import { PublicRequestContext } from '../requests/request-operation-context.ts';
import type { DownloadQueue } from '../responses/download-queue.ts';
import { sendDownload } from '../responses/download.ts';
import { runIdempotent, type IdempotencyDependencies } from '../idempotency/idempotency.ts';
import type { ManagerOperation, RunOperation } from '../operations/operation.ts';
import { isManagerOperation } from '../operations/operation-properties.ts';
import type { ResultsByKind } from '../operations/response.ts';
import { sendPreparedFile } from '../responses/prepared-file.ts';
import { queryStringOf } from '../protocol/request-target.ts';
import { sendStoredFile } from '../representations/stored-file.ts';
import { sendJson, sendNoContent } from '../responses/send-json.ts';
import { sendStreamed } from '../responses/streamed-body.ts';
import type { ValidatedInput, Validator } from '../validation/validation.ts';

type OperationHandlerDependencies = IdempotencyDependencies & { readonly downloadQueue: DownloadQueue };

type Send<Result> = (result: Result, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;
type Senders = { readonly [K in keyof ResultsByKind]: Send<ResultsByKind[K]> };

export function createOperationHandler(
  operation: RunOperation,
  validate: Validator,
  dependencies: OperationHandlerDependencies,
) {
  const { downloadQueue: queue } = dependencies;
  const senders: Senders = {
    json: (result, reply) => sendJson(operation, result, reply),
    noContent: (_result, reply) => sendNoContent(operation, reply),
    download: (result, reply) => sendDownload({ operation, download: result, reply, queue }),
    preparedFile: (result, reply) => sendPreparedFile(operation, result, reply),
    storedFile: sendStoredFile,
    streamed: (result, reply) => sendStreamed(operation, result, reply),
  };
  // The `define` functions have checked that the result is of the declared kind.
  const send = senders[operation.response.kind] as Send<unknown>;
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const hasIfMatch = isManagerOperation(operation) && applyIfMatch(operation, request);
    const { params, body } = request;
    const input = validate({ params, search: queryStringOf(request), body }, tenantHostOf(request).tenant);
    const result = runOperation(operation, input, reply, dependencies);
    if (hasIfMatch) return sendUnlessStale(result, (awaited) => send(awaited, reply));
    // A result that is not a promise is sent at once.
    return result instanceof Promise ? result.then((awaited) => send(awaited, reply)) : send(result, reply);
  };
}

async function sendUnlessStale<T>(result: T, send: (awaited: Awaited<T>) => FastifyReply | Promise<FastifyReply>) {
  let awaited: Awaited<T>;
  try {
    awaited = await result;
  } catch (error) {
    throw toIfMatchError(error);
  }
  return send(awaited);
}

function runOperation(
  operation: RunOperation,
  input: ValidatedInput,
  reply: FastifyReply,
  dependencies: IdempotencyDependencies,
): unknown {
  const { request } = reply;
  if (isManagerOperation(operation)) return runManagerOperation(operation, input, reply, dependencies);
  return operation.access === 'computer'
    ? operation.run(input, new ComputerRequestContext(operation, request, dependencies))
    : operation.run(input, new PublicRequestContext(operation, request, dependencies));
}

function runManagerOperation(
  operation: ManagerOperation,
  input: ValidatedInput,
  reply: FastifyReply,
  dependencies: IdempotencyDependencies,
): unknown {
  const { request } = reply;
  const key = operation.acceptsIdempotencyKey === true ? request.headers['idempotency-key'] : undefined;
  return key === undefined
    ? operation.run(input, new ManagerRequestContext(operation, request, dependencies))
    : runIdempotent({ operation, input, key, reply, dependencies });
}
