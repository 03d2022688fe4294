// GetUnitGroup: reads the settings or states of a group of a unit.

import { isAuthorized } from '../../../http/requests/authorize.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredUnit, type UnitKey } from '../../../permissions/coverage.ts';
import { requireUnit } from '../../places/require-place.ts';
import { typeCodeOf } from '../../places/rules/unit-types.ts';
import { setUnitSettingAccess } from '../access.ts';
import { isGroupName, typeCatalogueOf } from '../catalogue/type-catalogue.ts';
import type { ValueDefinition } from '../catalogue/value-definition.ts';
import {
  listGroupSettings,
  listGroupStates,
  type ReportedStateRow,
  type StoredSettingRow,
} from '../queries/unit-values.ts';
import { kindOf, toSettingRow, toStateRow, type UnitValueContext } from '../answers.ts';
import type { UnitValue } from '../schemas.ts';

type GetUnitGroupInput = { readonly unitKid: UnitKey; readonly group: string };

export function getUnitGroup(context: ManagerContext, { unitKid, group }: GetUnitGroupInput) {
  const { scope, language, principal } = context;
  const granted = requireCoveredUnit(scope, unitKid);
  return context.read(async (db) => {
    // A group that no type of unit has is not read.
    const [unit, settings, states] = await Promise.all([
      requireUnit(db, granted),
      isGroupName(group) ? listGroupSettings(db, granted, group) : [],
      isGroupName(group) ? listGroupStates(db, granted, group) : [],
    ]);
    if (!isGroupName(group)) throw new Problem('not-found');
    const definitions = typeCatalogueOf(typeCodeOf(unit)).visibleByGroup.get(group);
    if (definitions === undefined) throw new Problem('not-found');
    const canWrite = isAuthorized(setUnitSettingAccess, principal);
    const rowContext = { tenant: scope.tenant, language, currency: unit.currency, canWrite };
    return {
      unitKid: formatKid({ ...granted, type: 'unit' }),
      group,
      kind: kindOf(definitions),
      values: definitions.map(createValueRowFormatter(settings, states, rowContext)),
    };
  });
}

function createValueRowFormatter(
  settings: readonly StoredSettingRow[],
  states: readonly ReportedStateRow[],
  context: UnitValueContext,
): (definition: ValueDefinition) => UnitValue {
  const settingsByName = new Map(settings.map((row) => [row.name, row]));
  const statesByName = new Map(states.map((row) => [row.name, row]));
  return (definition) =>
    definition.kind === 'Setting'
      ? toSettingRow(definition, settingsByName.get(definition.name), context)
      : toStateRow(definition, statesByName.get(definition.name), context);
}
