// Makes the handler of an operation: validation, `run`, and the response.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ManagerRequestContext } from './context/manager-request-context.ts';
import { tenantHostOf } from './context/request-context.ts';
import { PublicRequestContext } from './context/request-operation-context.ts';
import type { DownloadPlaces } from './download-places.ts';
import { sendDownload, type Download } from './download.ts';
import { runIdempotent, type IdempotencyDependencies } from './idempotency.ts';
import type { ManagerOperation, Operation } from './operation.ts';
import { PreparedFile, sendPreparedFile } from './prepared-file.ts';
import { queryStringOf } from './request-target.ts';
import { StoredFile, sendStoredFile } from './stored-file.ts';
import { sendResult } from './send-result.ts';
import type { ValidatedInput, Validator } from './validation.ts';

export type OperationHandlerDependencies = IdempotencyDependencies & { readonly downloadPlaces: DownloadPlaces };

export function createOperationHandler(
  operation: Operation,
  validate: Validator,
  dependencies: OperationHandlerDependencies,
) {
  const { downloadPlaces: places } = dependencies;
  const send = (result: unknown, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    if (result instanceof PreparedFile) return sendPreparedFile(operation, result, reply);
    if (result instanceof StoredFile) return sendStoredFile(result, reply);
    return operation.downloadTypes === undefined
      ? sendResult(operation, result, reply)
      : sendDownload({ operation, download: result as Download, reply, places });
  };
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const { params, body } = request;
    const input = validate({ params, search: queryStringOf(request), body }, tenantHostOf(request).tenant.name);
    const result =
      operation.access === 'anyone'
        ? operation.run(input, new PublicRequestContext(operation, request, dependencies))
        : runManagerOperation(operation, input, reply, dependencies);
    // A result that is known at once is sent at once.
    return result instanceof Promise ? result.then((awaited) => send(awaited, reply)) : send(result, reply);
  };
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
