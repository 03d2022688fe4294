// Tells addresses of the internet from those of private, local and reserved networks.

import { BlockList, isIP } from 'node:net';

// IANA's special-purpose registries. BlockList also finds an IPv4 address that is mapped to IPv6.
const reservedRanges: readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  // The former relays of 6to4 (RFC 7526).
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  // Unspecified, loopback, and IPv4 in an IPv6 form that is no longer used.
  ['::', 96, 'ipv6'],
  // IPv4-translated addresses (RFC 2765), which differ from the mapped ones.
  ['::ffff:0:0:0', 96, 'ipv6'],
  // Translation to IPv4 and tunnels over it: they could lead to any of the above.
  ['64:ff9b::', 32, 'ipv6'],
  ['2001::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
  ['5f00::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const reserved = new BlockList();
for (const [network, prefix, family] of reservedRanges) reserved.addSubnet(network, prefix, family);

/** Also false for a text that is not an address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && !reserved.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Whether the host of a URL is this machine, or an address of a private network. */
export function namesPrivateHost({ hostname }: URL): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return host === 'localhost' || host.endsWith('.localhost');
}
