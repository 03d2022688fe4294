// GetBankUserWorkspace: reads everything about a resident that a manager administers.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { VariantResult } from '../../../http/representations/results.ts';
import { digestRevision } from '../../../lib/revision.ts';
import { requireGrantedResident, requireResident, type ResidentInput } from '../require-resident.ts';
import type { ResidentWorkspace } from '../schemas.ts';
import { readWorkspace } from '../read-workspace.ts';

export function getBankUserWorkspace(
  context: ManagerContext,
  input: ResidentInput,
): Promise<VariantResult<ResidentWorkspace>> {
  const granted = requireGrantedResident(context.scope, input);
  return context.read(async (db) => {
    const workspace = await readWorkspace(db, context, await requireResident(db, granted, context.now));
    // Balances, bookings and rights change without the resident's revision.
    return new VariantResult(workspace, digestRevision(JSON.stringify(workspace)));
  });
}
