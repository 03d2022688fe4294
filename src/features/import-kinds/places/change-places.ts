// Creates, changes and takes back banks, locations and units, with their audit entries.

import type { WriteDb } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { storeAddress } from '../../addresses/change-address.ts';
import { findAddressRow, type AddressKey } from '../../addresses/queries/addresses.ts';
import { isSameState } from '../../addresses/rules/provenance.ts';
import { appendAudits, type AuditRecord } from '../../audit/queries/append-audit.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { hasAddress, toAddressState } from './rules/address-fields.ts';
import { answersOf } from '../rules/answers.ts';
import type { Answers, ApplicableRow, AppliedRow, RowValues, UndoableRow, UndoneRow } from '../import-kind.ts';
import { findDependents, placeKeyOf, type PlaceIds } from './queries/find-dependents.ts';
import type { LevelOfPlace } from './rules/place-dependents.ts';
import { revisionOf } from './place-rows.ts';

/** How places of one level are created, changed and taken back: imports and operations share these steps. */
export type PlaceSteps = {
  readonly level: LevelOfPlace;
  /** Whose audit log has the changes; undefined for that of the tenant. */
  readonly auditedBankId: number | undefined;
  idsOf(objectKid: string): PlaceIds;
  create(rows: readonly ApplicableRow[]): Promise<ReadonlyMap<ApplicableRow, NewPlace>>;
  change(objectKid: string, values: RowValues): Promise<void>;
  remove(objectKid: string): Promise<void>;
};

/** With all its fields. */
export type NewPlace = { readonly objectKid: string; readonly values: RowValues };

export async function applyPlaces(
  db: WriteDb,
  actor: AuditContext,
  rows: readonly ApplicableRow[],
  steps: PlaceSteps,
): Promise<Answers<ApplicableRow, AppliedRow>> {
  const created = await steps.create(rows.filter(({ current }) => current === null));
  const audits: AuditRecord[] = [];
  const applied = new Map<ApplicableRow, AppliedRow>();
  for (const row of rows) {
    const { objectKid = row.objectKid ?? '', values: newValues } = created.get(row) ?? {};
    const before = row.current?.values ?? null;
    const after = newValues ?? { ...before, ...row.values };
    applied.set(row, { objectKid, revision: revisionOf(after) });
    // An object that only gets a key stays as it is.
    if (before !== null && Object.keys(row.values).length === 0) continue;
    if (before !== null) await steps.change(objectKid, row.values);
    audits.push(toAudit(steps, objectKid, before, after));
  }
  await appendAudits(db, actor, audits);
  return answersOf(applied);
}

/** A place that anything depends on is not taken back. */
export async function undoPlaces(
  db: WriteDb,
  actor: AuditContext,
  rows: readonly UndoableRow[],
  steps: PlaceSteps,
): Promise<Answers<UndoableRow, UndoneRow>> {
  const { level, idsOf } = steps;
  const created = rows.filter(({ action }) => action === 'create');
  const dependents = await findDependents(
    db,
    level,
    created.map(({ objectKid }) => idsOf(objectKid)),
  );
  const audits: AuditRecord[] = [];
  const undone = new Map<UndoableRow, UndoneRow>();
  for (const row of rows) {
    const { objectKid, action, before, current } = row;
    const blocking = action === 'create' ? dependents.get(placeKeyOf(idsOf(objectKid))) : undefined;
    if (blocking !== undefined) {
      undone.set(row, { errors: [inUseError(level, blocking)] });
      continue;
    }
    const after = action === 'create' ? null : { ...current.values, ...before };
    undone.set(row, { revision: after === null ? null : revisionOf(after) });
    if (after !== null && Object.keys(before).length === 0) continue;
    await (after === null ? steps.remove(objectKid) : steps.change(objectKid, before));
    audits.push(toAudit(steps, objectKid, current.values, after));
  }
  await appendAudits(db, actor, audits);
  return answersOf(undone);
}

const inUseError = (level: LevelOfPlace, dependents: readonly string[]) => ({
  field: 'kid',
  code: 'in-use',
  text: `The ${level} has ${dependents.join(', ')}.`,
});

/** The entry of a place that changes from one state to the other; null is none. */
function toAudit(
  { auditedBankId: bankId }: PlaceSteps,
  object: string,
  before: RowValues | null,
  after: RowValues | null,
): AuditRecord {
  const audited = bankId === undefined ? { object } : { object, bankId };
  if (before === null || after === null) return { ...audited, before, after };
  const changed = Object.keys(after).filter((field) => after[field] !== before[field]);
  const pick = (values: RowValues): RowValues =>
    Object.fromEntries(changed.map((field) => [field, values[field] ?? '']));
  return { ...audited, before: pick(before), after: pick(after) };
}

/** The address of a place, with the fields that there are. The audit entry of the place has them as well. */
export async function updateAddressOf(
  db: WriteDb,
  { key, bank }: { readonly key: AddressKey; readonly bank: GrantedBank },
  values: RowValues,
  now: number,
): Promise<void> {
  if (!hasAddress(values)) return;
  const row = await findAddressRow(db, key);
  if (row === undefined) throw new Error(`there is no ${key.type} of this address`);
  const state = toAddressState(row, values);
  if (isSameState(row, state)) return;
  const locationId = key.type === 'location' ? key.granted.locationId : 0;
  await storeAddress(db, { key, bank, row, locationId }, state, now);
}
