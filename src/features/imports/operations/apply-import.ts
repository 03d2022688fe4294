// ApplyImport: approves a plan. Its rows are applied afterwards, exactly as planned.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { changeRequestedImport } from '../change-requested-import.ts';
import { approveImport } from '../change-import.ts';
import type { ImportJobs } from '../process/import-jobs.ts';
import type { Import } from '../schemas.ts';

type ApplyImportInput = {
  readonly importKid: KidOf<'import'>;
  readonly expectedRevision: string;
  readonly allowPartial?: boolean;
  readonly expectedMissing?: number | undefined;
};

export async function applyImport(
  context: ManagerContext,
  { importKid, allowPartial = false, ...input }: ApplyImportInput,
  { jobs }: { readonly jobs: ImportJobs },
): Promise<WriteAnswer<Import>> {
  const answer = await changeRequestedImport(context, importKid, (db, actor, found) =>
    approveImport(db, actor, found, { ...input, allowPartial }),
  );
  jobs.wake(context.tenant, importKid.importId);
  return answer;
}
