// Sends the HTTP requests of adapters: with the provider's token, within its rate, and with failures as
// HostingSourceError.

import { createJsonClient, type JsonAnswer } from '../http-client/json-client.ts';
import { TokenBucket } from '../../lib/queues/token-bucket.ts';
import { version } from '../../version.ts';
import type { EndpointSettings } from './hosting-settings.ts';
import { HostingSourceError } from './hosting.ts';

export const userAgent = `portal-management-service/${version}`;

/** The limit for one request, and for reading a log by several requests. */
export const requestTimeoutMs = 8000;

/** 64 series of 2,000 points. */
const maxBodyBytes = 4 * 1024 * 1024;

export type HostingClient = ReturnType<typeof createHostingClient>;

/** Both functions throw HostingSourceError if there is no JSON answer. `path` is below the base URL. */
export function createHostingClient({
  baseUrl,
  token,
  headers,
  allowsPrivateAddresses,
  requestsPerMinute,
  burst,
}: EndpointSettings) {
  const client = createJsonClient({
    userAgent,
    allowsPrivateAddresses,
    timeoutMs: requestTimeoutMs,
    maxBodyBytes,
    headers: { ...headers, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
  });
  // The bucket limits only the rate of requests; their contents are checked before.
  const bucket = new TokenBucket({ capacity: burst, refillSeconds: 60 / requestsPerMinute, maxKeys: 1 });
  const send = async (request: () => Promise<JsonAnswer>): Promise<unknown> => {
    if (!bucket.take('').allowed) throw new HostingSourceError('the request rate of the provider is used up');
    const answer = await request();
    if (answer.ok) return answer.body;
    throw new HostingSourceError(answer.reason);
  };
  return {
    get: (path: string, query: Readonly<Record<string, string>>) => {
      const url = new URL(path, baseUrl);
      url.search = new URLSearchParams(query).toString();
      return send(() => client.get(url));
    },
    post: (path: string, form: Readonly<Record<string, string>>) =>
      send(() => client.postForm(new URL(path, baseUrl), new URLSearchParams(form))),
  };
}
