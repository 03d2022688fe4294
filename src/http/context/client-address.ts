// Finds the client address of a request: that of the connection, or the one that a trusted proxy names. Limits and the
// log use it; tenant and scheme never depend on it.

import parseForwarded from 'forwarded-parse';
import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';
import type { TrustedProxies } from './trusted-proxies.ts';

export type FindClientIp = (request: IncomingMessage) => string;

/** The returned function finds the IP address of a request's client; the text is empty if the connection is gone. */
export function createClientIpFinder(trustedProxies: TrustedProxies | undefined): FindClientIp {
  if (trustedProxies === undefined) return peerOf;
  return (request) => {
    const peer = peerOf(request);
    const { 'x-forwarded-for': forwardedFor, forwarded } = request.headers;
    if ((forwardedFor ?? forwarded) === undefined || !trustedProxies.has(peer)) return peer;
    const find = (hops: readonly (string | undefined)[]): string => findRightmostUntrusted(hops, peer, trustedProxies);
    if (forwarded === undefined) return find([forwardedFor ?? []].flat().join().split(','));
    const client = find(readForwardedHops(forwarded));
    if (forwardedFor === undefined) return client;
    // A proxy may set one of the two fields and pass on the other as the client sent it: neither counts unless they
    // agree.
    return find([forwardedFor].flat().join().split(',')) === client ? client : peer;
  };
}

const peerOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

/**
 * Each proxy appends the address of its caller, so that only the entries of trusted proxies can be believed. The fields
 * are read from the right to the first address that is not trusted. If a proxy names no address, its own counts.
 */
function findRightmostUntrusted(
  hops: readonly (string | undefined)[],
  peer: string,
  trustedProxies: TrustedProxies,
): string {
  let client = peer;
  for (const hop of hops.toReversed()) {
    const address = hop === undefined ? undefined : parseNode(hop.trim());
    if (address === undefined) return client;
    client = address;
    if (!trustedProxies.has(client)) return client;
  }
  return client;
}

/** The addresses of the `for` parameters (RFC 7239, 5.2); none if the field is malformed. */
function readForwardedHops(forwarded: string): readonly (string | undefined)[] {
  try {
    return parseForwarded(forwarded).map((element) => element['for']);
  } catch {
    return [];
  }
}

/** `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`; undefined for `unknown`, `_hidden` and the like. */
function parseNode(node: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\w+)?$/i.exec(node) ?? [];
  const address = bracketed ?? plain ?? (/^[\da-f:.]+$/i.test(node) ? node : '');
  const version = isIP(address);
  if (version === 0) return undefined;
  // The canonical spelling: in another spelling the address would be another client to the limits.
  return new SocketAddress({ address, family: version === 4 ? 'ipv4' : 'ipv6' }).address;
}

/**
 * The key by which limits count an address. An IPv6 client owns its whole /64 network, so that the network is the key.
 */
export function rateLimitKeyOfAddress(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [leftHalf = '', rightHalf] = address.split('%', 1)[0]?.split('::') ?? [];
  const leftGroups = leftHalf === '' ? [] : leftHalf.split(':');
  const rightGroups = rightHalf === undefined || rightHalf === '' ? [] : rightHalf.split(':');
  const zeros =
    rightHalf === undefined
      ? []
      : Array.from({ length: Math.max(0, 8 - leftGroups.length - rightGroups.length) }, () => '0');
  return [...leftGroups, ...zeros, ...rightGroups].slice(0, 4).join(':');
}
