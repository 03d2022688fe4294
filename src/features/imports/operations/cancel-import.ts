// CancelImport: ends an import. What it has applied stays, and can be undone.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { changeRequestedImport } from '../change-requested-import.ts';
import { endImport } from '../change-import.ts';
import type { Import } from '../schemas.ts';

export function cancelImport(
  context: ManagerContext,
  { importKid }: { readonly importKid: KidOf<'import'> },
): Promise<WriteAnswer<Import>> {
  return changeRequestedImport(context, importKid, endImport);
}
