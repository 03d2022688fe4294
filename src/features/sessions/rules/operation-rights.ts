// Decides which operations a manager may call.

import { isAuthorized } from '../../../http/context/authorize.ts';
import type { Operation } from '../../../http/operation.ts';
import type { Rights } from '../../../permissions/needs.ts';

export type OperationAccessEntry = Pick<Operation, 'id' | 'access'>;

/** For each operation id, whether the rights are enough for at least one object. */
export function listOperationRights(
  operations: readonly OperationAccessEntry[],
  rights: Rights,
): Record<string, boolean> {
  return Object.fromEntries(
    operations.map(({ id, access }) => [id, access === 'anyone' || isAuthorized(access, rights)]),
  );
}
