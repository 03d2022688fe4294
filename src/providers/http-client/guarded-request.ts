// Opens a request to a host outside: never to a private address that the operator has not allowed. The checked address is
// the one that is connected to. Tells failures that may pass from those that need the operator.

import { lookup as lookUpHost } from 'node:dns';
import { request as requestHttp, type ClientRequest, type OutgoingHttpHeaders, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-addresses.ts';

/** Whether the same request may succeed later by itself, or only after the operator has changed something. */
export type RequestFailure = 'TransientFailure' | 'PermanentFailure';

export type FailedRequest = {
  readonly ok: false;
  readonly failure: RequestFailure;
  /** For the log. Holds nothing of the request. */
  readonly reason: string;
  readonly status?: number;
  /** Undefined where there is none, or none that is JSON. */
  readonly body?: unknown;
};

export const fail = (failure: RequestFailure, reason: string): FailedRequest => ({ ok: false, failure, reason });

export type GuardedRequestOptions = {
  readonly method?: 'GET' | 'POST';
  readonly headers: OutgoingHttpHeaders;
  readonly allowsPrivateAddresses: boolean;
};

/** The request, which the caller ends; or why there is none. */
export function openGuardedRequest(
  url: URL,
  { method = 'GET', headers, allowsPrivateAddresses }: GuardedRequestOptions,
): ClientRequest | FailedRequest {
  // An address is connected to without a look-up.
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (!allowsPrivateAddresses && isIP(host) !== 0 && !isPublicAddress(host))
    return fail('PermanentFailure', 'the host is a private address');
  const options: RequestOptions = {
    // A kept connection that the server closes meanwhile would fail a request, and none is repeated.
    agent: false,
    method,
    headers,
    ...(allowsPrivateAddresses ? {} : { lookup: lookUpPublicHost }),
  };
  return (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
}

export const isFailedRequest = (request: ClientRequest | FailedRequest): request is FailedRequest =>
  'failure' in request;

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

/** What an error of the connection comes to. */
export function failureOfError(error: unknown): FailedRequest {
  if (error instanceof PrivateAddressError) return fail('PermanentFailure', 'the host has a private address');
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return fail('TransientFailure', `the request failed: ${code}`);
}

const transientStatuses = new Set([408, 425, 429]);

/** What a status comes to that is no success; undefined where the answer is to be read. */
export function failureOfStatus(status: number): FailedRequest | undefined {
  const failed = { ok: false, reason: `status ${status}`, status } as const;
  if (status >= 500 || transientStatuses.has(status)) return { ...failed, failure: 'TransientFailure' };
  // To another host a redirect would bring what is asked for, and any redirect is a second request.
  if (status >= 300 && status < 400) return { ...failed, failure: 'PermanentFailure', reason: 'a redirect' };
  return undefined;
}
