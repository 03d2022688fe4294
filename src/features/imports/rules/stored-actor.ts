// Keeps with an import whose request it is, so that whoever goes on with it names the same in the audit log.

import type { AuditContext } from '../../audit/rules/audit-context.ts';

type StoredActor = Omit<AuditContext, 'now' | 'readClock'>;

export function formatActor({ kind, id, operation, address, requestId, environment }: AuditContext): string {
  return JSON.stringify({ kind, id, operation, address, requestId, environment } satisfies StoredActor);
}

/** `clock` is in MS2000. */
export const parseActor = (text: string, clock: () => number): AuditContext => ({
  ...(JSON.parse(text) as StoredActor),
  now: clock(),
  readClock: clock,
});
