// Sends HTTP requests to a running service, and checks each response against the declaration of its operation, so that all
// tests together prove that nothing undeclared is sent.

import assert from 'node:assert/strict';
import { request, type IncomingHttpHeaders } from 'node:http';
import type { Operation } from '../../src/http/operation.ts';
import { successStatus } from '../../src/http/operation-properties.ts';
import { createSchemaCompiler } from '../../src/http/validation.ts';

export type HttpReply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** The parsed body; undefined where there is none. */
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  readonly json: any;
};

export type CallOptions = {
  readonly host?: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly rawBody?: string | Buffer;
};

export type Call = (method: string, path: string, options?: CallOptions) => Promise<HttpReply>;

export const sundHost = 'api.sund.localhost';

export function createCaller(port: number, operations: readonly Operation[]): Call {
  const check = createAnswerCheck(operations);
  return async (method, path, options = {}) => {
    const reply = await send(port, method, path, options);
    check(method, path, reply);
    return reply;
  };
}

function send(port: number, method: string, path: string, options: CallOptions): Promise<HttpReply> {
  const { host = sundHost, token, headers = {}, body, rawBody } = options;
  const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
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
        const text = bytes.toString('utf8');
        const isJson = /json|text\/plain/.test(incoming.headers['content-type'] ?? '') && text !== '';
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

function createAnswerCheck(operations: readonly Operation[]) {
  const compile = createSchemaCompiler();
  const known = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    validate: operation.response === undefined ? undefined : compile(operation.response),
    success: successStatus(operation),
  }));
  return (method: string, path: string, { status, json, headers, text }: HttpReply): void => {
    assert.ok(headers['x-request-id'], 'every response carries X-Request-Id');
    if (status >= 400 && method !== 'HEAD') assertProblem(status, json, headers, text);
    const found = known.find(
      ({ operation, pattern }) => operation.method === method && pattern.test(path.split('?', 1)[0] ?? ''),
    );
    if (found === undefined || status >= 300) return;
    assert.equal(status, found.success, 'an undeclared status');
    const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
    const types = found.operation.representationTypes ?? found.operation.downloadTypes;
    if (types !== undefined) assert.ok(types.includes(type), `an undeclared type: ${type}`);
    if (found.validate !== undefined)
      assert.ok(found.validate(json), `an undeclared answer: ${JSON.stringify(found.validate.errors)}`);
  };
}

function assertProblem(status: number, json: unknown, headers: IncomingHttpHeaders, text: string): void {
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/);
  const { type, title, status: bodyStatus, code, traceId } = json as Record<string, unknown>;
  assert.equal(bodyStatus, status);
  for (const field of [type, title, code, traceId]) assert.equal(typeof field, 'string', text);
}
