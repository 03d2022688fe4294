// Carries out what an import changes of residents, or takes back.

import type { WriteDb } from '../../../database/db.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { changeResidents, type ResidentActions } from '../../resident-administration/change-resident.ts';
import { activeState, disabledState, stateField, type ImportTarget, type RowValues } from '../import-kind.ts';
import { zipRows } from '../rules/answers.ts';
import { residentIdOf } from './residents-current.ts';

export const inactive: RowValues = { [stateField]: disabledState };
export const active: RowValues = { [stateField]: activeState };

export function requireResidentId(target: ImportTarget, kid: string | null): number {
  const residentId = residentIdOf(target, kid);
  if (residentId === undefined) throw new Error(`${kid} is no resident of bank ${target.bank.bankId}`);
  return residentId;
}

/** Resident -> new revision, of those with actions. */
export async function changeEach(
  db: WriteDb,
  actor: AuditContext,
  { bank }: ImportTarget,
  residents: readonly ResidentActions[],
): Promise<ReadonlyMap<number, number>> {
  const changed = residents.filter(({ actions }) => actions.length > 0);
  const revisions = await changeResidents(db, actor, bank, changed);
  return new Map(Array.from(zipRows(changed, revisions), ([{ residentId }, revision]) => [residentId, revision]));
}
