// Parses the query of GetAuditLog into the entries that it selects.

import { formatKid, type Kid, type KidOf } from '../../../lib/kid.ts';
import { parseSelectedTimes } from '../../../lib/time/selected-times.ts';
import { createTooNarrowProblem } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';

export type AuditQuery = {
  readonly managerKid?: KidOf<'manager'>;
  readonly operation?: string;
  readonly object?: Kid;
  readonly from?: string;
  readonly through?: string;
};

declare const brand: unique symbol;

/** Entries of the whole tenant. Only {@link parseAuditQuery} creates it. */
export type AuditCriteria = {
  readonly managerId: number | undefined;
  readonly operation: string | undefined;
  readonly object: string | undefined;
  /** Both inclusive, MS2000. */
  readonly from: number | undefined;
  readonly through: number | undefined;
  readonly [brand]: true;
};

/** Throws 403 if the grants are not tenant-wide, and 400 for an invalid time. */
export function parseAuditQuery({ grants }: Scope, query: AuditQuery): AuditCriteria {
  if (!grants.tenantWide) throw createTooNarrowProblem('The operation needs a tenant-wide grant.');
  const { from, through } = parseSelectedTimes(query);
  const { managerKid, operation, object } = query;
  return {
    managerId: managerKid?.managerId,
    operation,
    object: object === undefined ? undefined : formatKid(object),
    from,
    through,
  } as AuditCriteria;
}
