// The key under which rate limits count a client's address.

/** An IPv6 client owns its whole /64 network, so that the network is the key. */
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
