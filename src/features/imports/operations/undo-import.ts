// UndoImport: takes back what an import has applied, as far as nobody has changed it since.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { changeRequestedImport } from '../change-requested-import.ts';
import { revertImport } from '../change-import.ts';
import type { ImportJobs } from '../process/import-jobs.ts';
import type { Import } from '../schemas.ts';

type UndoImportInput = { readonly importKid: KidOf<'import'>; readonly expectedRevision: string };

export async function undoImport(
  context: ManagerContext,
  { importKid, expectedRevision }: UndoImportInput,
  { jobs }: { readonly jobs: ImportJobs },
): Promise<WriteAnswer<Import>> {
  const answer = await changeRequestedImport(context, importKid, (db, actor, found) =>
    revertImport(db, actor, found, expectedRevision),
  );
  jobs.wake(context.tenant, importKid.importId);
  return answer;
}
