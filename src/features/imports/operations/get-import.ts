// GetImport: reads how far an import has come.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { authorize } from '../../../http/requests/authorize.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { needsOfImport } from '../access.ts';
import { toImport } from '../answers.ts';
import { requireImport } from '../require-import.ts';
import type { Import } from '../schemas.ts';

export async function getImport(context: ManagerContext, { importId }: KidOf<'import'>): Promise<Import> {
  const { scope, tenant, principal } = context;
  const found = await context.readStatement((db) => requireImport(db, scope, context, importId));
  authorize(needsOfImport(found), principal);
  return toImport(tenant.name, found.row);
}
