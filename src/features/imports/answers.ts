// Formats imports and the rows of their plans.

import { formatBankKid, formatImportKid, formatKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { ImportKind } from '../import-kinds/import-kind.ts';
import type { PlanRow } from './queries/import-rows.ts';
import type { StoredImport } from './queries/imports.ts';
import type { ImportState, MissingAction } from './rules/import-states.ts';
import { createFieldWriter } from '../import-kinds/rules/decimal-fields.ts';
import type { ImportKindName } from '../import-kinds/rules/kind-names.ts';
import type { Import, ImportRow } from './schemas.ts';

export const toImport = (tenant: string, row: StoredImport): Import => ({
  kid: formatImportKid(tenant, row.import_id),
  kind: row.kind as ImportKindName,
  bankKid: row.bank_id === 0 ? null : formatBankKid(tenant, row.bank_id),
  source: row.source,
  state: row.state as ImportState,
  counts: {
    create: row.creates,
    update: row.updates,
    unchanged: row.unchanged,
    missing: row.missing,
    refused: row.refused,
  },
  outcomes: { applied: row.applied, stale: row.stale, failed: row.failed, undone: row.undone, kept: row.kept },
  missing: row.missing_action as MissingAction,
  allowPartial: row.allow_partial === 1,
  detected: row.detected === null ? null : (JSON.parse(row.detected) as NonNullable<Import['detected']>),
  fileHash: row.file_hash,
  fileBytes: row.file_bytes,
  failure: row.failure === null ? null : (JSON.parse(row.failure) as NonNullable<Import['failure']>),
  createdUtc: formatUtc(row.created_at),
  createdByKid: row.created_by === null ? null : formatKid({ type: 'manager', tenant, managerId: row.created_by }),
  changedUtc: formatUtc(row.changed_at),
  revision: String(row.revision),
});

type RowView = {
  readonly kind: ImportKind;
  /** The currency of amounts that name none. */
  readonly currency: string;
  /** Fields whose changes are left out. */
  readonly hiddenFieldsOf?: (row: PlanRow) => readonly string[];
};

/** Amounts have a decimal point, as in the files that are exported. */
export function createRowFormatter({ kind, currency: ofBank, hiddenFieldsOf = () => [] }: RowView) {
  const writeField = createFieldWriter(kind);
  return (row: PlanRow): ImportRow => {
    const { currency = ofBank } = row.values ?? {};
    const write = (field: string, text: string | null) => text && writeField(field, text, currency || ofBank);
    const hiddenFields = hiddenFieldsOf(row);
    const { changes, errors, ...rest } = toImportRow(row);
    return {
      ...rest,
      errors: errors.map((error) => (hiddenFields.includes(error.field) ? { ...error, text: notShown } : error)),
      changes: changes
        .filter(({ field }) => !hiddenFields.includes(field))
        .map(({ field, before, after }) => ({ field, before: write(field, before), after: write(field, after) })),
    };
  };
}

const notShown = 'The value is not shown.';

const toImportRow = (row: PlanRow): ImportRow => ({
  line: row.line,
  key: row.key,
  action: row.action,
  outcome: row.outcome,
  objectKid: row.objectKid,
  changes: row.action === 'create' ? listCreatedFields(row) : [...row.changes],
  errors: [...row.errors],
});

const listCreatedFields = ({ values }: PlanRow): ImportRow['changes'] =>
  Object.entries(values ?? {})
    .filter(([, after]) => after !== '')
    .map(([field, after]) => ({ field, before: null, after }));
