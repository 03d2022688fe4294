// GetImportKinds: lists the kinds of data that can be imported, with what each needs, and what the manager may do.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { OperationAccess } from '../../../http/operations/operation.ts';
import { needsOf } from '../../../http/operations/operation-properties.ts';
import { findMissingRight, type Rights } from '../../../permissions/needs.ts';
import { importKinds } from '../../import-kinds/import-kinds.ts';
import { importsAccess } from '../../import-profiles/access.ts';
import type { ImportKindList } from '../schemas.ts';

/** In the order in which a tenant is built up. */
export function getImportKinds({ principal }: Pick<ManagerContext, 'principal'>): ImportKindList {
  const items = Object.values(importKinds).map(({ name, belongsTo, access, readAccess, isDeactivatable = false }) => ({
    kind: name,
    belongsTo,
    isDeactivatable,
    access: describeAccess(access, principal),
    exportAccess: describeAccess(readAccess, principal),
  }));
  return { items };
}

/** Needs are those of the kind, together with those of all imports. */
function describeAccess(access: OperationAccess, rights: Rights): ImportKindList['items'][number]['access'] {
  const { tabs, permissions, grantLevel } = needsOf(access);
  const needs = {
    tabs,
    permissions: [...new Set([...needsOf(importsAccess).permissions, ...permissions])],
    grantLevel,
  };
  return {
    tabs: [...tabs],
    permissions: needs.permissions,
    grantLevel,
    isAllowed: findMissingRight(needs, rights) === undefined,
  };
}
