// Parses the proxies whose header fields are trusted to name the client (PORTAL_TRUSTED_PROXIES).

import { BlockList, isIP } from 'node:net';
import type { AddressRange } from '../../setting-parsers.ts';

export type TrustedProxies = { has(address: string): boolean };

/** Undefined if no proxy is trusted. */
export function createTrustedProxies(ranges: readonly AddressRange[]): TrustedProxies | undefined {
  if (ranges.length === 0) return undefined;
  const list = new BlockList();
  for (const { address, prefix, family } of ranges) list.addSubnet(address, prefix, family);
  return {
    has: (address) => {
      const [withoutZone = ''] = address.split('%', 1);
      const version = isIP(withoutZone);
      return version !== 0 && list.check(withoutZone, version === 4 ? 'ipv4' : 'ipv6');
    },
  };
}
