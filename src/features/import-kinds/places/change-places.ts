// Creates, changes and takes back banks, locations and units, with their audit entries.

import type { Db, WriteDb } from '../../../database/db.ts';
import { pairItems } from '../../../lib/values/pair-items.ts';
import { storeAddress } from '../../addresses/change-address.ts';
import { findAddressRow, type AddressKey } from '../../addresses/queries/addresses.ts';
import { isSameState } from '../../addresses/rules/provenance.ts';
import { appendAudits, type AuditRecord } from '../../audit/queries/append-audit.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { hasAddress, toAddressState } from './rules/address-fields.ts';
import { answersOf } from '../rules/answers.ts';
import { digestValues } from '../rules/export-pages.ts';
import { listDefaults } from '../rules/parse-fields.ts';
import type { KindDefinition } from '../define-kind.ts';
import type {
  Answers,
  ApplicableRow,
  AppliedRow,
  FoundRow,
  ImportTarget,
  KeyedRow,
  RowValues,
  UndoableRow,
  UndoneRow,
} from '../import-kind.ts';
import { findDependents, placeKeyOf, type PlaceIds } from './queries/find-dependents.ts';
import type { LevelOfPlace } from './rules/place-dependents.ts';
import { toPlaceColumns, type PlaceFieldTable } from './rules/place-fields.ts';

type SharedSteps = 'findCurrent' | 'findByNames' | 'apply' | 'undo' | 'exportRows';

export type PlaceKindDefinition<Row, Columns> = Omit<KindDefinition, SharedSteps | 'fields'> & {
  readonly level: LevelOfPlace;
  readonly fields: PlaceFieldTable<Row, Columns>;
  /** All places of the bank or tenant, or those of the KIDs; others may be among them. */
  list(db: Db, target: ImportTarget, kids?: readonly string[]): Promise<readonly Row[]>;
  kidOf(target: ImportTarget, row: Row): string;
  idsOf(target: ImportTarget, kid: string): PlaceIds;
  /** What a manager sees of a place, where that is not all. */
  toShown?(row: Row, target: ImportTarget): Row;
  /** Fields that this place keeps, beside those that all places keep. */
  keptFields?(row: Row): readonly string[];
  /** What keeps rows from being applied, and what else changes with them. */
  createCheck(db: Db, target: ImportTarget, rows: readonly KeyedRow[]): Promise<PlaceCheck<Row>>;
  /** Creates places with these values, and with locks of their ids. */
  create(db: WriteDb, target: ImportTarget, places: readonly RowValues[], now: number): Promise<readonly NewPlace[]>;
  update(db: WriteDb, target: ImportTarget, kid: string, columns: Partial<Columns>): Promise<void>;
  addressOf?(target: ImportTarget, kid: string): AddressKey;
};

type PlaceCheck<Row> = (row: KeyedRow, place: Row | undefined) => Partial<Omit<FoundRow, 'current'>>;

/** With all its fields. */
type NewPlace = { readonly objectKid: string; readonly values: RowValues };

type PlaceSteps<Row, Columns> = {
  readonly actor: AuditContext;
  readonly target: ImportTarget;
  readonly definition: PlaceKindDefinition<Row, Columns>;
};

export async function applyPlaces<Row, Columns>(
  db: WriteDb,
  steps: PlaceSteps<Row, Columns>,
  rows: readonly ApplicableRow[],
): Promise<Answers<ApplicableRow, AppliedRow>> {
  const { actor, target, definition } = steps;
  const newRows = rows.filter(({ current }) => current === null);
  const defaults = listDefaults(definition.fields, target);
  const wanted = newRows.map(({ values }) => ({ ...defaults, ...values }));
  const places = wanted.length === 0 ? [] : await definition.create(db, target, wanted, actor.now);
  const created = new Map(pairItems(newRows, places));
  const audits: AuditRecord[] = [];
  const applied = new Map<ApplicableRow, AppliedRow>();
  for (const row of rows) {
    const { objectKid = row.objectKid ?? '', values: after = { ...row.current?.values, ...row.values } } =
      created.get(row) ?? {};
    applied.set(row, { objectKid, revision: digestValues(after) });
    // An object that only gets a key stays as it is.
    if (row.current !== null && Object.keys(row.values).length === 0) continue;
    if (row.current !== null) await changePlace(db, steps, objectKid, row.values);
    audits.push(toAudit(steps, objectKid, row.current?.values ?? null, after));
  }
  await appendAudits(db, actor, audits);
  return answersOf(applied);
}

/** A place that anything depends on is not taken back. */
export async function undoPlaces<Row, Columns extends { deleted_at: number | null }>(
  db: WriteDb,
  steps: PlaceSteps<Row, Columns>,
  rows: readonly UndoableRow[],
): Promise<Answers<UndoableRow, UndoneRow>> {
  const { actor, target, definition } = steps;
  const idsOf = ({ objectKid }: UndoableRow) => definition.idsOf(target, objectKid);
  const created = rows.filter(({ action }) => action === 'create');
  const dependents = await findDependents(db, definition.level, created.map(idsOf));
  const audits: AuditRecord[] = [];
  const undone = new Map<UndoableRow, UndoneRow>();
  for (const row of rows) {
    const { objectKid, action, before, current } = row;
    const blocking = action === 'create' ? dependents.get(placeKeyOf(idsOf(row))) : undefined;
    if (blocking !== undefined) {
      const text = `The ${definition.level} has ${blocking.join(', ')}.`;
      undone.set(row, { errors: [{ field: 'kid', code: 'in-use', text }] });
      continue;
    }
    const after = action === 'create' ? null : { ...current.values, ...before };
    undone.set(row, { revision: after === null ? null : digestValues(after) });
    if (after !== null && Object.keys(before).length === 0) continue;
    if (after !== null) await changePlace(db, steps, objectKid, before);
    else await definition.update(db, target, objectKid, { deleted_at: actor.now } as Partial<Columns>);
    audits.push(toAudit(steps, objectKid, current.values, after));
  }
  await appendAudits(db, actor, audits);
  return answersOf(undone);
}

/** The entry of a place that changes from one state to the other; null is none. */
function toAudit<Row, Columns>(
  { target, definition: { level } }: PlaceSteps<Row, Columns>,
  object: string,
  before: RowValues | null,
  after: RowValues | null,
): AuditRecord {
  const audited = level === 'bank' ? { object } : { object, bankId: target.bank.bankId };
  if (before === null || after === null) return { ...audited, before, after };
  const changed = Object.keys(after).filter((field) => after[field] !== before[field]);
  const pick = (values: RowValues): RowValues =>
    Object.fromEntries(changed.map((field) => [field, values[field] ?? '']));
  return { ...audited, before: pick(before), after: pick(after) };
}

async function changePlace<Row, Columns>(
  db: WriteDb,
  { actor, target, definition }: PlaceSteps<Row, Columns>,
  objectKid: string,
  values: RowValues,
): Promise<void> {
  await definition.update(db, target, objectKid, toPlaceColumns(definition.fields, values));
  const key = definition.addressOf?.(target, objectKid);
  if (key !== undefined && hasAddress(values)) await updateAddressOf(db, target, key, values, actor.now);
}

/** The address of a place, with the fields that there are. The audit entry of the place has them as well. */
async function updateAddressOf(
  db: WriteDb,
  target: ImportTarget,
  key: AddressKey,
  values: RowValues,
  now: number,
): Promise<void> {
  const row = await findAddressRow(db, key);
  if (row === undefined) throw new Error(`there is no ${key.type} of this address`);
  const state = toAddressState(row, values);
  if (isSameState(row, state)) return;
  const bank = key.type === 'bank' ? key.granted : target.bank;
  const locationId = key.type === 'location' ? key.granted.locationId : 0;
  await storeAddress(db, { key, bank, row, locationId }, state, now);
}
