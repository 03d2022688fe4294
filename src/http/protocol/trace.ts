// Joins a request to its caller's trace, or begins a trace (W3C Trace Context).

import { randomFillSync } from 'node:crypto';

export type Trace = { readonly traceId: string; readonly spanId: string; readonly flags: string };

// Only a version later than 00 may have more after the flags.
const traceparentPattern =
  /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(?:-.*)?$/;

const traceIdCharacters = 32;
/** Ids of a trace and of a span. */
const bytesOfIds = 24;
/** Generated for many requests at once: a call for so few bytes would be mostly overhead. */
const randomBytes = Buffer.alloc(256 * bytesOfIds);
let usedBytes = randomBytes.length;

/** The standard forbids ids of zeros only: they are as unlikely as any other id. */
function createIds(): string {
  if (usedBytes === randomBytes.length) {
    randomFillSync(randomBytes);
    usedBytes = 0;
  }
  usedBytes += bytesOfIds;
  return randomBytes.toString('hex', usedBytes - bytesOfIds, usedBytes);
}

export function joinTrace(header: string | string[] | undefined): Trace {
  const [, traceId, flags] = (typeof header === 'string' && traceparentPattern.exec(header)) || [];
  const ids = createIds();
  return {
    traceId: traceId ?? ids.slice(0, traceIdCharacters),
    spanId: ids.slice(traceIdCharacters),
    flags: flags ?? '00',
  };
}

export function formatTraceparent({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags}`;
}
