// How adapters ask a provider over HTTP: under its token, as often as it allows, with failures as HostingSourceError.

import { createJsonClient, type JsonAnswer } from '../http-client/json-client.ts';
import { TokenBucket } from '../../lib/token-bucket.ts';
import { version } from '../../version.ts';
import type { EndpointSettings } from './hosting-settings.ts';
import { HostingSourceError } from './hosting.ts';

export const userAgent = `portal-management-service/${version}`;

/** Of one request, and of what reads a log in several. */
export const requestTimeoutMs = 8000;

/** 64 series of 2,000 points. */
const maxBodyBytes = 4 * 1024 * 1024;

/** Both functions throw HostingSourceError where there is no answer of JSON. `path` is below the base URL. */
export type ProviderAccess = {
  get(path: string, query: Readonly<Record<string, string>>): Promise<unknown>;
  post(path: string, form: Readonly<Record<string, string>>): Promise<unknown>;
};

export function createProviderAccess({
  baseUrl,
  token,
  headers,
  allowsPrivateAddresses,
  requestsPerMinute,
  burst,
}: EndpointSettings): ProviderAccess {
  const client = createJsonClient({
    userAgent,
    allowsPrivateAddresses,
    timeoutMs: requestTimeoutMs,
    maxBodyBytes,
    headers: { ...headers, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
  });
  // What a request asks for is known by then: the bucket alone says whether it is sent.
  const bucket = new TokenBucket({ capacity: burst, refillSeconds: 60 / requestsPerMinute, maxKeys: 1 });
  const send = async (request: () => Promise<JsonAnswer>): Promise<unknown> => {
    if (!bucket.take('').allowed) throw new HostingSourceError('no request is left in the rate of the provider');
    const answer = await request();
    if (answer.ok) return answer.body;
    throw new HostingSourceError(answer.reason);
  };
  return {
    get: (path, query) => {
      const url = new URL(path, baseUrl);
      url.search = new URLSearchParams(query).toString();
      return send(() => client.get(url));
    },
    post: (path, form) => send(() => client.postForm(new URL(path, baseUrl), new URLSearchParams(form))),
  };
}
