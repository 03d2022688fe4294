// Every bound on time and size, in one place.

export const limits = {
  /** From connection to the end of the headers, and to the end of the request. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /** Longer than the idle timeouts of common load balancers (60 s), so that it is they who close. */
  keepAliveTimeoutMs: 72_000,
  /** Without traffic on an open exchange. */
  connectionTimeoutMs: 60_000,
  /** How often open connections are held against these. */
  connectionsCheckIntervalMs: 1000,
  maxHeaderBytes: 16_384,
  /** Requests at once on one HTTP/2 connection. */
  maxConcurrentStreams: 100,
  /** An icon KID of 2,048 characters, each percent-encoded, with room for what surrounds it. */
  maxParamLength: 6_400,
  maxRequestsPerSocket: 0,
  maxConnections: 10_000,
  shutdownMs: 10_000,
} as const;
