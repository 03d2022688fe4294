// How often an event stream says that it is still there, and when it ends.

export type EventStreamLimits = {
  /** A client that was cut off is noticed. */
  readonly heartbeatMs: number;
  /** Rights are looked at again when the client comes back. */
  readonly lifetimeMs: number;
};

export const eventStreamLimits: EventStreamLimits = { heartbeatMs: 20_000, lifetimeMs: 600_000 };
