// GetImportRows: lists the rows of a plan: what is done with each, and what became of it.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import { authorize } from '../../../http/requests/authorize.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { toPage } from '../../../lib/values/paging.ts';
import { needsOfImport } from '../access.ts';
import { createRowFormatter } from '../answers.ts';
import { listPlanRows, type RowPosition } from '../queries/import-rows.ts';
import { readCurrency } from '../read-currency.ts';
import { requireImport, type FoundImport } from '../require-import.ts';
import type { RowAction, RowOutcome } from '../rules/import-states.ts';

type GetImportRowsInput = {
  readonly importKid: KidOf<'import'>;
  readonly action?: RowAction;
  readonly outcome?: RowOutcome;
  readonly limit: number;
  readonly cursor?: string;
};

export async function getImportRows(
  context: ManagerContext,
  { importKid, action, outcome, ...query }: GetImportRowsInput,
) {
  const { scope, principal } = context;
  const request = await openPage<RowPosition>(context, { ...query, offset: 0 });
  return context.read(async (db) => {
    const found = await requireImport(db, scope, context, importKid.importId);
    authorize(needsOfImport(found), principal);
    const rows = await listPlanRows(db, importKid.importId, { ...request, action, outcome });
    const { items, hasMore, nextCursor } = toPage(rows, request, ({ position }) => [position]);
    const formatRow = createRowFormatter({
      kind: found.kind,
      currency: await readCurrency(db, found),
      hiddenFields: listHiddenFields(found, principal.id),
    });
    return { items: items.map(formatRow), hasMore, nextCursor };
  });
}

/** A plan that the manager has made shows only what the manager sees; that of another one can show more. */
const listHiddenFields = ({ kind, target, row }: FoundImport, managerId: number): readonly string[] =>
  target.showsDisabled || row.created_by === managerId ? [] : (kind.columnsOfEnabled ?? []);
