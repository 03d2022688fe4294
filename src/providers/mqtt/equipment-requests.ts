// Sends the requests of one computer to the Equipment API over HTTP.

import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { BridgedComputer } from './bridge-settings.ts';

export type EquipmentAnswer = {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly body: string;
};

export type EquipmentRequests = {
  /** Rejects where the service cannot be reached. */
  get(path: string, signal: AbortSignal): Promise<EquipmentAnswer>;
  postLines(path: string, lines: Uint8Array, signal: AbortSignal): Promise<EquipmentAnswer>;
};

/** Longer than the longest long poll. */
const timeoutMs = 90_000;

/** Computers share connections. */
export function createEquipmentAgents() {
  return { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
}

export function createEquipmentRequests(
  { service, host, key }: BridgedComputer,
  agents: ReturnType<typeof createEquipmentAgents>,
): EquipmentRequests {
  const isSecure = service.protocol === 'https:';
  const send = (path: string, signal: AbortSignal, lines?: Uint8Array): Promise<EquipmentAnswer> => {
    const { promise, resolve, reject } = Promise.withResolvers<EquipmentAnswer>();
    const request = (isSecure ? httpsRequest : httpRequest)(new URL(path, service), {
      method: lines === undefined ? 'GET' : 'POST',
      signal,
      agent: isSecure ? agents.https : agents.http,
      timeout: timeoutMs,
      headers: {
        authorization: `Bearer ${key}`,
        ...(host === undefined ? {} : { host }),
        ...(lines === undefined ? {} : { 'content-type': 'application/jsonl' }),
      },
    });
    request.on('timeout', () => request.destroy(new Error('the service did not answer in time')));
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      const seconds = Number(headers['retry-after']);
      const retryAfterSeconds = Number.isInteger(seconds) && seconds >= 0 ? seconds : undefined;
      text(response).then((answer) => resolve({ status, retryAfterSeconds, body: answer }), reject);
    });
    request.end(lines);
    return promise;
  };
  return { get: send, postLines: (path, lines, signal) => send(path, signal, lines) };
}
