// GetUnitOverview: reads a unit, the groups of its settings and states, and the commands that it understands.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatBankKid, formatLocationKid } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { digestRevision } from '../../../lib/values/revision.ts';
import { requireCoveredUnit, type UnitKey } from '../../../permissions/coverage.ts';
import { findUnitOverviewRow, type UnitOverviewRow } from '../../places/queries/units.ts';
import { requireUnit } from '../../places/require-place.ts';
import { toUnit } from '../../places/answers.ts';
import { typeCodeOf, unitTypeIconOf } from '../../places/rules/unit-types.ts';
import { typeCatalogueOf } from '../catalogue/type-catalogue.ts';
import type { UnitGroupName } from '../catalogue/value-definition.ts';
import { readUnitValuesDigest, type UnitValuesDigest } from '../queries/unit-values.ts';
import { commandsOf, formatCommandLabel, type CommandName } from '../rules/command-catalogue.ts';
import { toUnitGroupSummary } from '../answers.ts';

export function getUnitOverview(context: ManagerContext, unitKid: UnitKey) {
  const { scope, language } = context;
  const unit = requireCoveredUnit(scope, unitKid);
  return context.read(async (db) => {
    const [, row, digest] = await Promise.all([
      requireUnit(db, unit),
      findUnitOverviewRow(db, unit),
      readUnitValuesDigest(db, unit),
    ]);
    if (row === undefined) throw new Problem('not-found');
    const bankKid = formatBankKid(unit.tenant, unit.bankId);
    const locationKid = formatLocationKid(bankKid, unit.locationId);
    const commands = commandsOf(typeCodeOf(row));
    const groups = [...typeCatalogueOf(typeCodeOf(row)).visibleByGroup];
    const counts = groups.map(([name, { length }]) => [name, length] as const);
    return {
      unit: { ...toUnit(row, { locationKid, language }), locationKid, bankKid },
      groups: groups.map(([name, members]) => toUnitGroupSummary(name, members, language)),
      commands: commands.map((name) => ({ name, label: formatCommandLabel(name, language) })),
      revision: calculateRevision(row, { counts, commands }, digest),
    };
  });
}

type OfType = {
  readonly counts: readonly (readonly [UnitGroupName, number])[];
  readonly commands: readonly CommandName[];
};

/**
 * The revision is the same in every language. It also changes when a new version of the catalogue changes the unit's
 * type.
 */
function calculateRevision(
  { packed_type: packed, ...row }: UnitOverviewRow,
  { counts, commands }: OfType,
  digest: UnitValuesDigest,
): string {
  const icon = unitTypeIconOf(typeCodeOf({ ...row, packed_type: packed }));
  // The packed type is a text: it can have more digits than a JSON number keeps.
  const revisionInput = JSON.stringify([row, String(packed), icon, counts, commands, digest]);
  return digestRevision(revisionInput);
}
