// Joins a request to its caller's trace, or begins a trace (W3C Trace Context).

import { randomUUID } from 'node:crypto';

export type Trace = { readonly traceId: string; readonly spanId: string; readonly flags: string };

// Only a version later than 00 may have more after the flags.
const traceparentPattern =
  /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(?:-.*)?$/;

export function joinTrace(header: string | string[] | undefined): Trace {
  const [, traceId, flags] = (typeof header === 'string' && traceparentPattern.exec(header)) || [];
  // The standard forbids ids of zeros only. Neither a version 4 UUID nor its second half is ever that.
  const uuid = randomUUID();
  const spanId = uuid.slice(19, 23) + uuid.slice(24);
  const random = traceId ?? uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + spanId;
  return { traceId: random, spanId, flags: flags ?? '00' };
}

export function formatTraceparent({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags}`;
}
