// The kinds that can be imported and exported, by their names.

import type { ImportKindName } from '../rules/kind-names.ts';
import type { ImportKind } from './import-kind.ts';
import { residentsKind } from './residents.ts';

export const importKinds = { residents: residentsKind } as Readonly<Record<ImportKindName, ImportKind>>;
