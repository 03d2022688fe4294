// GetImportRows: lists the rows of a plan: what is done with each, and what became of it.

import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import { authorize } from '../../../http/requests/authorize.ts';
import { guestId, type KidOf } from '../../../lib/kid.ts';
import { toPage } from '../../../lib/values/paging.ts';
import { readHiddenIdentities } from '../../import-kinds/queries/hidden-identities.ts';
import { resolveImportTime } from '../../import-kinds/rules/import-time.ts';
import { needsOfImport } from '../access.ts';
import { createRowFormatter } from '../answers.ts';
import { listPlanRows, type PlanRow, type RowPosition } from '../queries/import-rows.ts';
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
      hiddenFieldsOf: await readHiddenFields(db, found, { rows: items, managerId: principal.id }),
    });
    return { items: items.map(formatRow), hasMore, nextCursor };
  });
}

type ShownRows = { readonly rows: readonly PlanRow[]; readonly managerId: number };

/** What the manager does not see of the rows: the plan may have been made by another one, or long ago. */
async function readHiddenFields(
  db: Db,
  { kind, target, row: { created_by: createdBy } }: FoundImport,
  { rows, managerId }: ShownRows,
): Promise<(row: PlanRow) => readonly string[]> {
  const isOwn = createdBy === managerId;
  const ofDisabled = target.showsDisabled || isOwn ? [] : (kind.columnsOfEnabled ?? []);
  const { identity } = kind;
  if (identity === undefined) return () => ofDisabled;
  const kids = rows.flatMap(({ objectKid }) => objectKid ?? []);
  const [hiddenKids, isHidden] = await Promise.all([
    identity.listHidden(db, target, kids),
    readHiddenIdentities(db, target),
  ]);
  const hidden = new Set(hiddenKids);
  /** What is not stored yet is as the file of its manager has it. */
  const isHiddenDraft = ({ values }: PlanRow): boolean => {
    const time = resolveImportTime(values?.[identity.timeField] || noTime, target.tenant.timeZone) ?? 0;
    return !isOwn && isHidden({ recorded_at: time, user_id: guestId, resident_expired_at: null });
  };
  return (row) =>
    (row.objectKid === null ? isHiddenDraft(row) : hidden.has(row.objectKid))
      ? [...ofDisabled, ...identity.fields]
      : ofDisabled;
}

const noTime = '2000-01-01T00:00:00Z';
