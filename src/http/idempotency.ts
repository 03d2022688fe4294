// Runs an operation once for its Idempotency-Key: a repeated request gets the stored answer to the first one, after the
// present rights were checked.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { negotiateLanguage } from '../lib/language.ts';
import { Problem } from '../lib/problem.ts';
import { ManagerRequestContext } from './context/manager-request-context.ts';
import { principalOf, tenantHostOf } from './context/request-context.ts';
import type { HttpDependencies } from './http-dependencies.ts';
import { IdempotentWrite } from './idempotent-write.ts';
import type { ManagerOperation } from './operation.ts';
import { successStatus } from './operation-properties.ts';
import {
  deleteIdempotencyRecordsUntil,
  findEndOfExpiredBatch,
  type IdempotencyKey,
} from './queries/idempotency-records.ts';
import { hashRequest } from './request-hash.ts';
import { pathOf, queryStringOf } from './request-target.ts';
import type { RunningKeys } from './running-keys.ts';
import type { ValidatedInput } from './validation.ts';

const cleanupOptions = { deadlineMs: 1000 };

export type IdempotencyDependencies = HttpDependencies & { readonly runningKeys: RunningKeys };

type RunIdempotentInput = {
  readonly operation: ManagerOperation;
  readonly input: ValidatedInput;
  /** As the request has it. */
  readonly key: string | string[];
  readonly reply: FastifyReply;
  readonly dependencies: IdempotencyDependencies;
};

/** The result of the operation, or the stored answer to an earlier request. */
export async function runIdempotent({
  operation,
  input,
  key,
  reply,
  dependencies,
}: RunIdempotentInput): Promise<unknown> {
  const { request } = reply;
  const { tenant } = tenantHostOf(request);
  const idempotencyKey = { managerId: principalOf(request).managerId, key: requireValidKey(key) };
  const requestHash = await hashRequest({
    text: formatRequest(operation, request),
    salt: `${tenant.name}/${idempotencyKey.managerId}/${idempotencyKey.key}`,
    hasSecret: operation.takesSecret?.(input) ?? false,
  });
  const write = createIdempotentWrite(operation, request, { idempotencyKey, requestHash });
  const context = new ManagerRequestContext(operation, request, dependencies, write);
  await context.read((db) => write.lookUp(db));
  const runningKey = `${tenant.name}/${idempotencyKey.managerId}/${idempotencyKey.key}`;
  const endRun = write.hasStoredAnswer ? undefined : dependencies.runningKeys.begin(runningKey, requestHash);
  try {
    const result = await operation.run(input, context);
    if (write.isReplayed) reply.header('idempotency-replayed', 'true');
    else deleteExpiredRecords(dependencies.databases.forTenant(tenant.name), write.expiredUntil, request);
    return result;
  } finally {
    endRun?.();
  }
}

function requireValidKey(key: string | string[]): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key)) throw new Problem('invalid-idempotency-key');
  return key;
}

const formatRequest = ({ method }: ManagerOperation, request: FastifyRequest): string =>
  JSON.stringify([method, pathOf(request), queryStringOf(request), request.body ?? null]);

function createIdempotentWrite(
  operation: ManagerOperation,
  request: FastifyRequest,
  keyed: { readonly idempotencyKey: IdempotencyKey; readonly requestHash: string },
): IdempotentWrite {
  return new IdempotentWrite({
    ...keyed,
    status: successStatus(operation),
    language: operation.localised === true ? negotiateLanguage(request.headers['accept-language']) : null,
    now: request.requestContext.now,
  });
}

/**
 * Deletes expired records of all keys. In a transaction of its own, and only if there are any: as part of the writes
 * themselves, concurrent ones would be rolled back over the same old rows. Nobody waits for it: what it leaves, the next
 * write with a key deletes.
 */
function deleteExpiredRecords(database: TenantDatabase, until: number, request: FastifyRequest): void {
  const deleteBatch = async (): Promise<void> => {
    const batchEnd = await database.read(cleanupOptions, (db) => findEndOfExpiredBatch(db, until));
    if (batchEnd === undefined) return;
    await database.write(cleanupOptions, (db) => deleteIdempotencyRecordsUntil(db, batchEnd));
  };
  deleteBatch().catch((error: unknown) =>
    request.log.debug({ err: error, requestId: request.id }, 'expired idempotency records were not deleted'),
  );
}
