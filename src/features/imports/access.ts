// The rights that imports and exports need: those of the operations on the same objects.

import type { OperationAccess } from '../../http/operations/operation.ts';
import { needsOf } from '../../http/operations/operation-properties.ts';
import { missingPermissionReason, type Needs } from '../../permissions/needs.ts';
import type { ImportKind } from '../import-kinds/import-kind.ts';
import { importKinds } from '../import-kinds/import-kinds.ts';
import { importsAccess } from '../import-profiles/access.ts';

const listNeeds = (accessOf: (kind: ImportKind) => OperationAccess): Readonly<Record<string, Needs>> =>
  Object.fromEntries(Object.values(importKinds).map((kind) => [kind.name, needsOf(accessOf(kind))]));

export const createImportAccess = (): OperationAccess => ({
  ...importsAccess,
  byParameter: { parameter: 'kind', in: 'query', isExhaustive: true, byWord: listNeeds(({ access }) => access) },
});

export const createExportAccess = (): OperationAccess => ({
  ...importsAccess,
  byParameter: { parameter: 'kind', isExhaustive: true, byWord: listNeeds(({ readAccess }) => readAccess) },
});

export const needsOfImport = ({ kind }: { readonly kind: ImportKind }): Needs => needsOf(kind.access);

/** Lists the reasons of operations on an import whose kind is known only when it is read. */
export const listKindReasons = (): string[] => [
  ...new Set(
    Object.values(importKinds).flatMap((kind) => needsOfImport({ kind }).permissions.map(missingPermissionReason)),
  ),
];
