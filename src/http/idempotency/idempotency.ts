// Runs an operation once for its Idempotency-Key: a repeated request gets the stored answer to the first one, after its
// current rights have been checked.

import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import { negotiateLanguage } from '../../lib/text/language.ts';
import { Problem } from '../../lib/problem.ts';
import { ManagerRequestContext } from '../requests/manager-request-context.ts';
import { principalOf, tenantHostOf } from '../requests/request-context.ts';
import { queueKeyOf } from '../context/principal.ts';
import type { OperationDependencies } from '../requests/http-dependencies.ts';
import { IdempotentWrite, type IdempotentWriteInput } from './idempotent-write.ts';
import type { ManagerOperation } from '../operations/operation.ts';
import { deleteIdempotencyRecordsUntil, findEndOfExpiredBatch } from './queries/idempotency-records.ts';
import { hashRequest } from './request-hash.ts';
import { pathOf, queryStringOf } from '../protocol/request-target.ts';
import type { RunningKeys } from './running-keys.ts';
import type { ValidatedInput } from '../validation/validation.ts';

const cleanupOptions = { deadlineMs: 1000 };

export type IdempotencyDependencies = OperationDependencies & { readonly runningKeys: RunningKeys };

type RunIdempotentInput = {
  readonly operation: ManagerOperation;
  readonly input: ValidatedInput;
  /** The header field as the request has it. */
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
  const principal = principalOf(request);
  const idempotencyKey = { managerId: principal.id, key: requireValidKey(key) };
  const runningKey = `${tenant.name}/${idempotencyKey.managerId}/${idempotencyKey.key}`;
  const hashed = {
    text: formatRequest(operation, request),
    salt: runningKey,
    hasSecret: operation.takesSecret?.(input) ?? false,
    turn: { key: queueKeyOf(tenant, principal) },
  };
  const write = createIdempotentWrite(operation, request, {
    idempotencyKey,
    hashRequest: () => hashRequest(hashed, dependencies.hashSecret),
    isRunning: () => dependencies.runningKeys.has(runningKey),
  });
  const context = new ManagerRequestContext(operation, request, dependencies, write);
  await context.read((db) => write.lookUp(db));
  // The hash of a secret waits until the rights, the object and its revision have been checked.
  if (!hashed.hasSecret) await write.prepare();
  // The fast hash stays in the memory of the process.
  const endRun = write.isRepeated ? undefined : dependencies.runningKeys.begin(runningKey, hash('sha256', hashed.text));
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
  keyed: Pick<IdempotentWriteInput, 'idempotencyKey' | 'hashRequest' | 'isRunning'>,
): IdempotentWrite {
  return new IdempotentWrite({
    ...keyed,
    status: operation.response.status,
    language: operation.localised === true ? negotiateLanguage(request.headers['accept-language']) : null,
    now: request.requestContext.now,
  });
}

/**
 * Deletes expired records of all keys, in a transaction of its own and only if there are any: within the writes
 * themselves, concurrent deletions of the same rows would roll each other back. Nobody waits for it: the next write
 * with a key deletes what is left.
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
