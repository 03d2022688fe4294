// Sends requests to the service as clients behind the balancer do: over a connection of their own, with a limit of time.

import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HttpReply } from '../../support/call.ts';

export type ClusterReply = {
  /** 0 where there is no answer, or not a whole one. */
  readonly status: number;
  readonly json: HttpReply['json'];
  readonly text: string;
  /** Whether the answer is the stored one of an earlier request with the same key. */
  readonly isReplayed: boolean;
};

export type ClusterRequest = {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  /** In place of `body`: CSV. */
  readonly file?: string;
};

export type SendRequest = (
  request: ClusterRequest,
  options?: { readonly token?: string; readonly key?: string },
) => Promise<ClusterReply>;

/** Above every deadline of the service, also while it waits for another node. */
const requestTimeoutMs = 30_000;

export const createSender =
  (port: number): SendRequest =>
  async ({ method, path, body, file }, { token, key } = {}) => {
    const payload = file ?? (body === undefined ? undefined : JSON.stringify(body));
    const { promise, resolve, reject } = Promise.withResolvers<ClusterReply>();
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      signal: AbortSignal.timeout(requestTimeoutMs),
      headers: {
        host: 'api.sund.localhost',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(payload === undefined
          ? {}
          : {
              'content-type': file === undefined ? 'application/json' : 'text/csv',
              'content-length': Buffer.byteLength(payload),
            }),
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      text(incoming).then(
        (answered) =>
          resolve({
            status: incoming.statusCode ?? 0,
            json: /json/.test(incoming.headers['content-type'] ?? '') ? JSON.parse(answered) : {},
            text: answered,
            isReplayed: incoming.headers['idempotency-replayed'] === 'true',
          }),
        reject,
      );
    });
    outgoing.end(payload);
    return promise.catch((error: unknown) => ({ status: 0, json: {}, text: String(error), isReplayed: false }));
  };
