// GetBankUserWorkspace: reads everything about a resident that a manager administers.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { requireGrantedResident, requireResident, type ResidentInput } from '../require-resident.ts';
import type { ResidentWorkspace } from '../schemas.ts';
import { readWorkspace } from '../read-workspace.ts';

export function getBankUserWorkspace(context: ManagerContext, input: ResidentInput): Promise<ResidentWorkspace> {
  const granted = requireGrantedResident(context.scope, input);
  return context.read(async (db) => readWorkspace(db, context, await requireResident(db, granted, context.now)));
}
