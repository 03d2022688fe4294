// Names the gateways through which demo units are connected: those of a bank that are online have one, and the others one
// for each location, which nobody has switched on.

import { hourMs } from '../../src/lib/time/durations.ts';

/** Units that were heard of since then are online. */
const onlineMs = hourMs;

export const onlineGatewayName = (bankId: number): string => `gateway-${bankId}`;

type ContactedUnit = { readonly locationId: number; readonly lastContactAt: number | null };

/** Null for a unit whose device was never in contact. */
export function gatewayNameOf(
  bankId: number,
  { locationId, lastContactAt }: ContactedUnit,
  now: number,
): string | null {
  if (lastContactAt === null) return null;
  const name = onlineGatewayName(bankId);
  return lastContactAt > now - onlineMs ? name : `${name}-${locationId}`;
}
