// Carries out what an import changes of residents, or takes back.

import type { WriteDb } from '../../../database/db.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { changeResidents, type ResidentActions } from '../../resident-administration/change-resident.ts';
import type { ImportTarget, RowValues } from '../import-kind.ts';
import { residentIdOf } from './residents-current.ts';

export const inactive: RowValues = { state: 'disabled' };
export const active: RowValues = { state: 'active' };

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
  return new Map(changed.map(({ residentId }, at) => [residentId, revisions[at]!]));
}
