// The rights that imports and exports need: those of the operations on the same objects.

import type { OperationAccess } from '../../http/operations/operation.ts';
import { needsOf } from '../../http/operations/operation-properties.ts';
import { anyTab } from '../../permissions/matrix.ts';
import { missingPermissionReason, type Needs } from '../../permissions/needs.ts';
import type { ImportKind } from './kinds/import-kind.ts';
import { importKinds } from './kinds/import-kinds.ts';

const listNeeds = (accessOf: (kind: ImportKind) => OperationAccess): Readonly<Record<string, Needs>> =>
  Object.fromEntries(Object.values(importKinds).map((kind) => [kind.name, needsOf(accessOf(kind))]));

/** What every import needs; `needsOfImport` has what its kind needs besides. */
export const importsAccess: OperationAccess = { tabs: anyTab, permissions: ['Bank.Read'], grantLevel: 'bank' };

export const createImportAccess = (): OperationAccess => ({
  ...importsAccess,
  byParameter: { parameter: 'kind', in: 'query', isExhaustive: true, byWord: listNeeds(({ access }) => access) },
});

export const createExportAccess = (): OperationAccess => ({
  ...importsAccess,
  byParameter: { parameter: 'kind', isExhaustive: true, byWord: listNeeds(({ readAccess }) => readAccess) },
});

export const needsOfImport = ({ kind }: { readonly kind: ImportKind }): Needs => needsOf(kind.access);

/** Of operations on an import whose kind is known only when it is read. */
export const listKindReasons = (): string[] => [
  ...new Set(
    Object.values(importKinds).flatMap((kind) => needsOfImport({ kind }).permissions.map(missingPermissionReason)),
  ),
];

/**
 * A profile decides what a file of any bank means. So whoever sets one needs what the most common import needs, for the
 * whole tenant: a manager of a single bank could otherwise change the residents of another one. An import by the profile
 * still needs the rights of its kind.
 */
export const profileWriteAccess: OperationAccess = {
  tabs: anyTab,
  permissions: ['Bank.Read', 'User.Create', 'User.Write'],
  grantLevel: 'tenant',
};
