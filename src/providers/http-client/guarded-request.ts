// Opens a request to an external host, and never to a private address that the operator has not allowed.

import { lookup as lookUpHost } from 'node:dns';
import { request as requestHttp, type ClientRequest, type OutgoingHttpHeaders, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-addresses.ts';

/** Whether the same request may succeed later, or only after the operator has changed something. */
export type RequestFailure = 'TransientFailure' | 'PermanentFailure';

export type FailedRequest = {
  readonly ok: false;
  readonly failure: RequestFailure;
  /** For the log. It contains nothing of the request. */
  readonly reason: string;
  readonly status?: number;
  /** Undefined if there is no body, or it is not JSON. */
  readonly body?: unknown;
};

export const fail = (failure: RequestFailure, reason: string): FailedRequest => ({ ok: false, failure, reason });

export type GuardedRequestOptions = {
  readonly method?: 'GET' | 'POST';
  readonly headers: OutgoingHttpHeaders;
  readonly allowsPrivateAddresses: boolean;
};

/**
 * Returns the request, which the caller must end, or a failure. The connection uses the very address that was checked.
 */
export function openGuardedRequest(
  url: URL,
  { method = 'GET', headers, allowsPrivateAddresses }: GuardedRequestOptions,
): ClientRequest | FailedRequest {
  const guard = guardConnection(url, allowsPrivateAddresses);
  if ('failure' in guard) return guard;
  // No connection is kept open: one that the server closes meanwhile would fail a request, and no request is repeated.
  const options: RequestOptions = { agent: false, method, headers, ...guard };
  return (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
}

/** Returns connection options that refuse private addresses, unless these are allowed, or a failure. */
export function guardConnection(
  { hostname }: URL,
  allowsPrivateAddresses: boolean,
): { readonly lookup?: LookupFunction } | FailedRequest {
  if (allowsPrivateAddresses) return {};
  // For an IP address there is no look-up that could check it.
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isPublicAddress(host)
    ? fail('PermanentFailure', 'the host is a private address')
    : { lookup: lookUpPublicHost };
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

/** The failure for an error of the connection. */
export function failureOfError(error: unknown): FailedRequest {
  if (error instanceof PrivateAddressError) return fail('PermanentFailure', 'the host has a private address');
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return fail('TransientFailure', `the request failed: ${code}`);
}

const transientStatuses = new Set([408, 425, 429]);

/** The failure for an unsuccessful status; undefined if the answer is to be read. */
export function failureOfStatus(status: number): FailedRequest | undefined {
  const failed = { ok: false, reason: `status ${status}`, status } as const;
  if (status >= 500 || transientStatuses.has(status)) return { ...failed, failure: 'TransientFailure' };
  // A redirect would send the query to another host, or at least need a second request.
  if (status >= 300 && status < 400) return { ...failed, failure: 'PermanentFailure', reason: 'a redirect' };
  return undefined;
}
