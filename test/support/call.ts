// Sends HTTP requests to a running service, and checks each response against the declaration of its operation, so that all
// tests together prove that nothing undeclared is sent.

import assert from 'node:assert/strict';
import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import type { TSchema } from 'typebox';
import type { Operation } from '../../src/http/operations/operation.ts';
import { problemReasonsOf } from '../../src/http/openapi/problem-codes.ts';
import { listExtensionMembers } from '../../src/http/openapi/problem-schema.ts';
import type { ProblemCode } from '../../src/lib/problem.ts';
import { createSchemaCompiler } from '../../src/http/validation/validation.ts';
import { closeObjects } from './close-objects.ts';
import { decodeBody } from './decode-body.ts';

// oxlint-disable-next-line no-explicit-any -- without the type of an operation (operation-replies.ts), answers have every shape
export type HttpReply<Json = any> = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. */
  readonly text: string;
  /** As they were received. */
  readonly bytes: Buffer;
  /** The parsed body; undefined if there is none. */
  readonly json: Json;
};

export type CallOptions = {
  readonly host?: string;
  /** The loopback address that the client connects from. */
  readonly from?: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly rawBody?: string | Buffer;
};

export type Call = (method: string, path: string, options?: CallOptions) => Promise<HttpReply>;

export const sundHost = 'api.sund.localhost';

/** Without an agent each request has a connection of its own, which takes three times as long. */
export function createCaller(port: number, operations: readonly Operation[], agent: Agent | false = false): Call {
  const check = answerChecks.get(operations) ?? createAnswerCheck(operations);
  answerChecks.set(operations, check);
  return async (method, path, options = {}) => {
    const reply = await send(port, agent, method, path, options);
    check(method, path, reply);
    return reply;
  };
}

function send(
  port: number,
  agent: Agent | false,
  method: string,
  path: string,
  options: CallOptions,
): Promise<HttpReply> {
  const { host = sundHost, from = '127.0.0.1', token, headers = {}, body, rawBody } = options;
  const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      localAddress: from,
      port,
      method,
      path,
      agent,
      headers: {
        host,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        ...headers,
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = decodeBody(bytes, incoming.headers['content-encoding']).toString('utf8');
        const isJson = /json\b|text\/plain/.test(incoming.headers['content-type'] ?? '') && text !== '';
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          bytes,
          json: isJson ? JSON.parse(text) : undefined,
        });
      });
    });
    outgoing.end(payload);
  });
}

/** Compiling a schema takes as long as many requests, and the services of a process declare the same ones. */
const answerChecks = new WeakMap<readonly Operation[], ReturnType<typeof createAnswerCheck>>();

function createAnswerCheck(operations: readonly Operation[]) {
  const compile = createSchemaCompiler();
  const known = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const validators = new Map<Operation, ReturnType<typeof compile>>();
  const validatorOf = (operation: Operation, response: TSchema): ReturnType<typeof compile> => {
    const validate = validators.get(operation) ?? compile(closeObjects(response));
    validators.set(operation, validate);
    return validate;
  };
  return (method: string, path: string, { status, json, headers, text }: HttpReply): void => {
    assert.ok(headers['x-request-id'], 'every response carries X-Request-Id');
    // A page for people, which test/http/pages.test.ts compares with the JSON.
    if (status >= 400 && /^text\/html\b/.test(headers['content-type'] ?? '')) return;
    if (status >= 400 && method !== 'HEAD') assertProblem(status, json, headers, text);
    const found = known.find(
      ({ operation, pattern }) => operation.method === method && pattern.test(path.split('?', 1)[0] ?? ''),
    );
    if (found === undefined) return;
    if (status >= 400) assertDeclaredReason(found.operation, json);
    if (status >= 300) return;
    const { kind, status: success, mediaTypes, schema } = found.operation.response;
    const isDeclared = status === success || (status === 206 && kind === 'storedFile');
    assert.ok(isDeclared, `an undeclared status: ${status}`);
    const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
    // A stream with a schema is JSON for clients that do not ask for the stream.
    const isJsonInstead = kind === 'streamed' && schema !== undefined && type === 'application/json';
    if (kind !== 'noContent') assert.ok(isJsonInstead || mediaTypes.includes(type), `an undeclared type: ${type}`);
    if (schema === undefined || (kind === 'streamed' && !isJsonInstead)) return;
    const validate = validatorOf(found.operation, schema)();
    assert.ok(validate(json), `an undeclared answer: ${JSON.stringify(validate.errors)}`);
  };
}

/** The service itself checks that the code is declared (declared-problems.ts). */
function assertDeclaredReason(operation: Operation, json: unknown): void {
  const { code, reason } = json as { code: ProblemCode; reason?: string };
  const reasons = problemReasonsOf(operation, code);
  const isDeclaredReason = reason === undefined ? reasons.length === 0 : reasons.includes(reason);
  assert.ok(isDeclaredReason, `${operation.id}: ${code} with an undeclared reason: ${reason}`);
}

function assertProblem(status: number, json: unknown, headers: IncomingHttpHeaders, text: string): void {
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/);
  const {
    type,
    title,
    status: bodyStatus,
    code,
    traceId,
    detail,
    reason,
    errors,
    ...extensions
  } = json as Record<string, unknown>;
  assert.equal(bodyStatus, status);
  for (const field of [type, title, code, traceId, detail]) assert.equal(typeof field, 'string', text);
  for (const [field, kind] of [
    [reason, 'string'],
    [errors, 'object'],
  ] as const)
    assert.ok(field === undefined || typeof field === kind, text);
  const declared = listExtensionMembers(code as ProblemCode).map(({ name }) => name);
  assert.deepEqual(Object.keys(extensions).toSorted(), declared.toSorted(), text);
}
