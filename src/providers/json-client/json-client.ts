// Fetches JSON from a provider outside: one request, bounded in time and size, without redirects, and never to a private
// address that the operator has not allowed. The checked address is the one that is connected to.

import { lookup as lookUpHost } from 'node:dns';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-addresses.ts';

/** Whether the same request may succeed later by itself, or only after the operator has changed something. */
export type RequestFailure = 'TransientFailure' | 'PermanentFailure';

export type JsonAnswer =
  | { readonly ok: true; readonly body: unknown }
  | {
      readonly ok: false;
      readonly failure: RequestFailure;
      /** For the log. Holds nothing of the request. */
      readonly reason: string;
      readonly status?: number;
      /** Undefined where there is none, or none that is JSON. */
      readonly body?: unknown;
    };

export type JsonClientOptions = {
  readonly userAgent: string;
  readonly allowsPrivateAddresses: boolean;
  /** Of the whole request, from the look-up of the host to the last byte. */
  readonly timeoutMs?: number;
};

export type JsonClient = {
  /** Never throws. */
  get(url: URL): Promise<JsonAnswer>;
};

const defaultTimeoutMs = 3500;
const maxBodyBytes = 256 * 1024;

const transientStatuses = new Set([408, 425, 429]);

const fail = (failure: RequestFailure, reason: string): JsonAnswer => ({ ok: false, failure, reason });

export function createJsonClient({
  userAgent,
  allowsPrivateAddresses,
  timeoutMs = defaultTimeoutMs,
}: JsonClientOptions): JsonClient {
  const options: RequestOptions = {
    // A kept connection that the server closes meanwhile would fail a request, and none is repeated.
    agent: false,
    headers: { 'user-agent': userAgent, accept: 'application/json' },
    ...(allowsPrivateAddresses ? {} : { lookup: lookUpPublicHost }),
  };
  return {
    get: (url) => {
      // An address is connected to without a look-up.
      const host = url.hostname.replaceAll(/^\[|\]$/g, '');
      if (!allowsPrivateAddresses && isIP(host) !== 0 && !isPublicAddress(host))
        return Promise.resolve(fail('PermanentFailure', 'the host is a private address'));
      return send(url, options, timeoutMs);
    },
  };
}

function send(url: URL, options: RequestOptions, timeoutMs: number): Promise<JsonAnswer> {
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
    const timer = setTimeout(() => end(fail('TransientFailure', `no answer within ${timeoutMs} ms`)), timeoutMs);
    const end = (answer: JsonAnswer): void => {
      clearTimeout(timer);
      resolve(answer);
      request.destroy();
    };
    // Errors may still come after the end, such as that of the request that it destroys.
    request.on('error', (error) => end(failureOf(error)));
    request.on('response', (response) => {
      readAnswer(response).then(end, (error: unknown) => end(failureOf(error)));
    });
    request.end();
  });
}

class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
}

const lookUpPublicHost: LookupFunction = (hostname, options, callback) => {
  lookUpHost(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) callback(error ?? new Error('the host has no address'), []);
    else if (!addresses.every(({ address }) => isPublicAddress(address))) callback(new PrivateAddressError(), []);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function failureOf(error: unknown): JsonAnswer {
  if (error instanceof PrivateAddressError) return fail('PermanentFailure', 'the host has a private address');
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return fail('TransientFailure', `the request failed: ${code}`);
}

async function readAnswer(response: IncomingMessage): Promise<JsonAnswer> {
  const status = response.statusCode ?? 0;
  const failed = { ok: false, reason: `status ${status}`, status } as const;
  if (status >= 500 || transientStatuses.has(status)) return { ...failed, failure: 'TransientFailure' };
  // To another host a redirect would bring the address that is looked for, and any redirect is a second request.
  if (status >= 300 && status < 400) return { ...failed, failure: 'PermanentFailure', reason: 'a redirect' };
  const text = await readText(response);
  const body = text === undefined ? undefined : parseJson(text);
  if (status !== 200) return { ...failed, failure: 'PermanentFailure', body };
  return body === undefined ? fail('TransientFailure', 'the body is no JSON, or too large') : { ok: true, body };
}

/** Undefined where the body is too large or no UTF-8. */
async function readText(response: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
