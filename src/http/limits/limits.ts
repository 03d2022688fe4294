// The limits on the time and size of connections, requests and answers.

import type { UnsentLimits } from './unsent-answers.ts';

export const limits = {
  /** From the connection to the end of the headers, and to the end of the request. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /** Longer than the idle timeouts of common load balancers (60 s), so that they close connections first. */
  keepAliveTimeoutMs: 72_000,
  /** The time without traffic during a request. */
  connectionTimeoutMs: 60_000,
  /** How often open connections are checked against these timeouts. */
  connectionsCheckIntervalMs: 1000,
  maxHeaderBytes: 16_384,
  /** Concurrent requests on one HTTP/2 connection. */
  maxConcurrentStreams: 100,
  /** Enough for an icon KID of 2,048 percent-encoded characters. */
  maxParamLength: 6_400,
  maxRequestsPerSocket: 0,
  shutdownMs: 10_000,
} as const;

/** The minimum rate is 8 KiB a second. */
export const unsentLimits: UnsentLimits = {
  addressBytes: 32 * 1024 * 1024,
  totalBytes: 512 * 1024 * 1024,
  windowBytes: 245_760,
  windowMs: 30_000,
  checkIntervalMs: 1000,
};

export const uploadLimits = {
  total: 4,
  perManager: 2,
  /** So many bytes of a body, or the rest of it, must arrive in so much time in which the operation waits for them. */
  windowBytes: 245_760,
  windowMs: 30_000,
  checkIntervalMs: 1000,
} as const;
