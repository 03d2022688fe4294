// Parses an anchor: the kind of an alert, and the unit that it is about.

import { parseKid } from '../../../lib/kid.ts';
import { isStatusKind, type StatusKind } from './status-kinds.ts';

export type StatusAnchor = { readonly kind: StatusKind; readonly unitKid: string };

/** Undefined for an unknown kind, and for a text that is not the KID of a unit of this tenant. */
export function parseAnchor(text: string, tenant: string): StatusAnchor | undefined {
  const separatorAt = text.indexOf(':');
  const [kind, unitKid] = [text.slice(0, Math.max(0, separatorAt)), text.slice(separatorAt + 1)];
  return isStatusKind(kind) && parseKid(unitKid, tenant, ['unit']) !== undefined ? { kind, unitKid } : undefined;
}
