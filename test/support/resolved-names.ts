// Lets every host name have the addresses that a test chooses, as a name server of an attacker could.

import dns from 'node:dns';
import { isIPv6 } from 'node:net';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';

type Callback = (error: null, addresses: readonly { address: string; family: number }[]) => void;

/** Until the work has ended. */
export async function withNamesAt<T>(addresses: readonly string[], work: () => Promise<T>): Promise<T> {
  const resolved = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookup = (_host: string, _options: unknown, callback: Callback): void => callback(null, resolved);
  const looked = mock.method(dns, 'lookup', lookup as unknown as typeof dns.lookup);
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    looked.mock.restore();
    syncBuiltinESMExports();
  }
}
