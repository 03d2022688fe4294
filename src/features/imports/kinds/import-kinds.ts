// The kinds that can be imported and exported, by their names.

import type { ImportKindName } from '../rules/kind-names.ts';
import type { ImportKind } from './import-kind.ts';

export const importKinds: Readonly<Record<ImportKindName, ImportKind>> = {} as Record<ImportKindName, ImportKind>;
