// Reading a unit: what it is and which groups it has, one group with its values, and what a setting was ever given.

import { hash } from 'node:crypto';
import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { Pagination } from '../../../http/list-schemas.ts';
import { formatKid } from '../../../lib/kid.ts';
import { toPage } from '../../../lib/paging.ts';
import { Problem } from '../../../lib/problem.ts';
import { getUnitOverviewRow, type UnitOverviewRow } from '../../places/queries/units.ts';
import { toUnitItem } from '../../places/response-items.ts';
import { requireCoveredUnit, type UnitKey } from '../../../permissions/coverage.ts';
import { requireUnit, type VisibleUnitRow } from '../../places/queries/visible-places.ts';
import { typeCodeOf, unitTypeIconOf, type UnitTypeColumns } from '../../places/rules/unit-types.ts';
import { isGroupName, typeCatalogueOf } from '../catalogue/type-catalogue.ts';
import type { ValueDefinition, GroupName } from '../catalogue/value-definition.ts';
import {
  readUnitValuesDigest,
  listGroupSettings,
  listGroupStates,
  listSettingHistory,
  type UnitValuesDigest,
  type StoredSettingRow,
  type ReportedStateRow,
} from '../queries/unit-values.ts';
import { toGroupItem, toHistoryItem, kindOf, toSettingRow, toStateRow, type ValueContext } from '../rows.ts';
import type { ValueRow } from '../schemas.ts';

/** Who asks for what is theirs to see, and in which language. */
export type UnitViewer = Pick<ManagerContext, 'scope' | 'language' | 'principal'>;

export async function getUnitOverview(db: Db, { scope, language }: UnitViewer, at: UnitKey) {
  const granted = requireCoveredUnit(scope, at);
  const [, row, digest] = await Promise.all([
    requireUnit(db, granted),
    getUnitOverviewRow(db, granted),
    readUnitValuesDigest(db, at),
  ]);
  const { tenant } = scope;
  const locationKid = formatKid({ ...at, type: 'location', tenant });
  const groups = [...typeCatalogueOf(typeCodeOf(row)).visibleByGroup];
  const counts = groups.map(([name, { length }]) => [name, length] as const);
  return {
    unit: {
      ...toUnitItem(row, { locationKid, language }),
      locationKid,
      bankKid: formatKid({ ...at, type: 'bank', tenant }),
    },
    groups: groups.map(([name, members]) => toGroupItem(name, members, language)),
    revision: calculateRevision(row, counts, digest),
  };
}

/** The same in every language; it turns with what this version knows of the unit's type, too. */
function calculateRevision(
  { packed_type: packed, ...row }: UnitOverviewRow,
  counts: readonly (readonly [GroupName, number])[],
  digest: UnitValuesDigest | undefined,
): string {
  const icon = unitTypeIconOf(typeCodeOf({ ...row, packed_type: packed }));
  // A packed type can be wider than JSON's numbers.
  const revisionInput = JSON.stringify([row, String(packed), icon, counts, digest]);
  return hash('sha256', revisionInput, 'base64url').slice(0, 27);
}

export async function getUnitGroup(db: Db, viewer: UnitViewer, at: UnitKey, group: string) {
  // What no unit has need not be looked for.
  const [unit, settings, states] = await Promise.all([
    requireUnit(db, requireCoveredUnit(viewer.scope, at)),
    isGroupName(group) ? listGroupSettings(db, at, group) : [],
    isGroupName(group) ? listGroupStates(db, at, group) : [],
  ]);
  const definitions = typeCatalogueOf(typeCodeOf(unit)).visibleByGroup.get(group as GroupName);
  if (definitions === undefined) throw new Problem('not-found');
  const rowOf = createValueRowFormatter(settings, states, createValueContext(viewer, unit));
  return {
    unitKid: formatKid({ ...at, type: 'unit', tenant: viewer.scope.tenant }),
    group,
    kind: kindOf(definitions),
    values: definitions.map(rowOf),
  };
}

function createValueRowFormatter(
  settings: readonly StoredSettingRow[],
  states: readonly ReportedStateRow[],
  context: ValueContext,
): (member: ValueDefinition) => ValueRow {
  const storedByName = new Map(settings.map((row) => [row.name, row]));
  const reportedByName = new Map(states.map((row) => [row.name, row]));
  return (member) =>
    member.kind === 'Setting'
      ? toSettingRow(member, storedByName.get(member.name), context)
      : toStateRow(member, reportedByName.get(member.name), context);
}

export async function getUnitSettingHistory(
  db: Db,
  { scope }: UnitViewer,
  at: UnitKey,
  name: string,
  page: Pagination,
) {
  const { offset, limit } = page;
  const [unit, rows] = await Promise.all([
    requireUnit(db, requireCoveredUnit(scope, at)),
    listSettingHistory(db, at, name, { offset, limit: limit + 1 }),
  ]);
  const definition = findVisibleDefinition(unit, name);
  if (definition?.kind !== 'Setting') throw new Problem('not-found');
  const historyPage = toPage(rows, page);
  return { ...historyPage, items: historyPage.items.map((row) => toHistoryItem(definition, row, scope.tenant)) };
}

/** What a unit has under this exact name, as far as it is shown. */
export const findVisibleDefinition = (unit: UnitTypeColumns, name: string): ValueDefinition | undefined =>
  typeCatalogueOf(typeCodeOf(unit)).visibleByName.get(name);

export const createValueContext = (
  { scope, language, principal }: UnitViewer,
  { currency }: Pick<VisibleUnitRow, 'currency'>,
): ValueContext => ({
  tenant: scope.tenant,
  language,
  currency,
  canWrite: principal.permissions.has('Unit.Write'),
});
