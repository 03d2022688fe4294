// Creates, changes and takes back banks, locations and units, with their audit entries.

import type { WriteDb } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { storeAddress } from '../../addresses/change-address.ts';
import { findAddressRow, type AddressKey } from '../../addresses/queries/addresses.ts';
import { isSameState } from '../../addresses/rules/provenance.ts';
import { appendAudits, type AuditRecord } from '../../audit/queries/append-audit.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { hasAddress, toAddressState } from './rules/address-fields.ts';
import type { ApplicableRow, AppliedRow, RowValues, UndoableRow, UndoneRow } from '../import-kind.ts';
import { revisionOf } from './place-rows.ts';

/** How places of one level are written. */
export type PlaceWriter = {
  /** What the place is called in errors. */
  readonly what: string;
  /** Whose audit log has the changes; undefined for that of the tenant. */
  readonly auditedBankId: number | undefined;
  /** All fields of a new place. */
  completeValues(row: ApplicableRow): RowValues;
  /** The KIDs of the new places, by the positions of their rows. */
  insert(rows: readonly ApplicableRow[]): Promise<ReadonlyMap<number, string>>;
  update(objectKid: string, values: RowValues): Promise<void>;
  remove(objectKid: string): Promise<void>;
  /** What depends on them, by their KIDs. */
  findDependents(objectKids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
};

export async function applyPlaces(
  db: WriteDb,
  actor: AuditContext,
  rows: readonly ApplicableRow[],
  writer: PlaceWriter,
): Promise<readonly AppliedRow[]> {
  const created = await writer.insert(rows.filter(({ current }) => current === null));
  const audits: AuditRecord[] = [];
  const applied: AppliedRow[] = [];
  for (const row of rows) {
    const objectKid = created.get(row.position) ?? row.objectKid ?? '';
    const before = row.current?.values ?? null;
    const changed = Object.fromEntries(row.changedFields.map((field) => [field, row.values[field] ?? '']));
    const after = before === null ? writer.completeValues(row) : { ...before, ...changed };
    applied.push({ objectKid, revision: revisionOf(after) });
    // An object that only gets a key stays as it is.
    if (before !== null && row.changedFields.length === 0) continue;
    if (before !== null) await writer.update(objectKid, changed);
    audits.push(toAudit(writer, objectKid, before, after));
  }
  await appendAudits(db, actor, audits);
  return applied;
}

/** A place that anything depends on is not taken back. */
export async function undoPlaces(
  db: WriteDb,
  actor: AuditContext,
  rows: readonly UndoableRow[],
  writer: PlaceWriter,
): Promise<readonly UndoneRow[]> {
  const created = rows.filter(({ action }) => action === 'create');
  const dependents = await writer.findDependents(created.map(({ objectKid }) => objectKid));
  const audits: AuditRecord[] = [];
  const undone: UndoneRow[] = [];
  for (const { objectKid, action, before, current } of rows) {
    const blocking = action === 'create' ? dependents.get(objectKid) : undefined;
    if (blocking !== undefined) {
      undone.push({ errors: [inUseError(writer.what, blocking)] });
      continue;
    }
    const after = action === 'create' ? null : { ...current.values, ...before };
    undone.push({ revision: after === null ? null : revisionOf(after) });
    if (after !== null && Object.keys(before).length === 0) continue;
    await (after === null ? writer.remove(objectKid) : writer.update(objectKid, before));
    audits.push(toAudit(writer, objectKid, current.values, after));
  }
  await appendAudits(db, actor, audits);
  return undone;
}

const inUseError = (what: string, dependents: readonly string[]) => ({
  field: 'kid',
  code: 'in-use',
  text: `The ${what} has ${dependents.join(', ')}.`,
});

/** The entry of a place that changes from one state to the other; null is none. */
function toAudit(
  { auditedBankId: bankId }: PlaceWriter,
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
