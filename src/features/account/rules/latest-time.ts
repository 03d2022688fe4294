// Defines the latest time that a ledger has.

export type LedgerTimes = {
  /** When the open settlement period began. */
  readonly openedAt: number;
  /** When the service last wrote to the ledger, or to the bookings of its bank. */
  readonly lastWriteAt: number;
};

/** Nothing is recorded with an earlier time. */
export const latestTimeOf = ({ openedAt, lastWriteAt }: LedgerTimes): number => Math.max(openedAt, lastWriteAt);
