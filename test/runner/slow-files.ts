// About how many seconds the slowest test files take. The first run in a clone has no durations of its own to begin with
// the longest; begun last, such a file would keep one core at work and the others waiting.
export const slowFiles: Readonly<Record<string, number>> = {
  'test/account/verify-ledger.test.ts': 75,
  'test/http/connections.test.ts': 63,
  'test/http/authorization.test.ts': 47,
  'test/account/export-large.test.ts': 41,
  'test/http/slow-readers.test.ts': 40,
  'test/http/killed-writes.test.ts': 36,
  'test/demo/interrupted-seed.test.ts': 32,
  'test/http/http2-bodies.test.ts': 30,
  'test/http/broken-databases.test.ts': 30,
  'test/bookings/agreement.test.ts': 28,
  'test/account/reversal-races.test.ts': 26,
  'test/account/reversal.test.ts': 24,
  'test/demo/booking-fees.test.ts': 24,
  'test/bookings/command-authorization.test.ts': 22,
  'test/residents/anonymise.test.ts': 21,
  'test/http/downloads.test.ts': 18,
  'test/account/settle.test.ts': 17,
  'test/demo/bookings.test.ts': 17,
  'test/galera/cluster.test.ts': 17,
  'test/managers/create-manager-command.test.ts': 16,
};
