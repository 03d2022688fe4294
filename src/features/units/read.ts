// Reading a unit: what it is and which groups it has, one group with its values, and what a setting was ever given.

import { hash } from 'node:crypto';
import type { Db } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import type { Page } from '../../http/listing.ts';
import { formatKid } from '../../lib/kid.ts';
import { framed } from '../../lib/lists.ts';
import { Problem } from '../../lib/problem.ts';
import { findUnitRow, type UnitRow } from '../places/queries/units.ts';
import { unitItem } from '../places/rows.ts';
import { demandUnit, type UnitAt, type UnitFacts } from '../places/sight.ts';
import { typeCodeOf, unitTypeIcon, type StoredType } from '../places/unit-types.ts';
import { isGroup, shelfOfType } from './catalogue/catalogue.ts';
import type { Definition, GroupName } from './catalogue/definition.ts';
import {
  digestValues,
  listGroupSettings,
  listGroupStates,
  listHistory,
  type Digest,
  type GivenRow,
  type ReportedRow,
} from './queries/values.ts';
import { groupItem, historyItem, kindOf, settingRow, stateRow, type ValueContext } from './rows.ts';
import type { ValueRow } from './schemas.ts';

/** Who asks for what is theirs to see, and in which language. */
export type Asking = Pick<ManagerDoor, 'scope' | 'language' | 'principal'>;

export async function readUnitOverview(db: Db, { scope, language }: Asking, at: UnitAt) {
  const [, row, digest] = await Promise.all([demandUnit(db, scope, at), findUnitRow(db, at), digestValues(db, at)]);
  if (row === undefined) throw new Problem('not-found');
  const { tenant } = scope;
  const locationKid = formatKid({ ...at, type: 'location', tenant });
  const groups = [...shelfOfType(typeCodeOf(row)).groups];
  const counts = groups.map(([name, { length }]) => [name, length] as const);
  return {
    unit: {
      ...unitItem(row, { locationKid, language }),
      locationKid,
      bankKid: formatKid({ ...at, type: 'bank', tenant }),
    },
    groups: groups.map(([name, members]) => groupItem(name, members, language)),
    revision: revisionOf(row, counts, digest),
  };
}

/** The same in every language; it turns with what this version knows of the unit's type, too. */
function revisionOf(
  { packed_type: packed, ...row }: UnitRow,
  counts: readonly (readonly [GroupName, number])[],
  digest: Digest | undefined,
): string {
  const icon = unitTypeIcon(typeCodeOf({ ...row, packed_type: packed }));
  // A packed type can be wider than JSON's numbers.
  const told = JSON.stringify([row, String(packed), icon, counts, digest]);
  return hash('sha256', told, 'base64url').slice(0, 27);
}

export async function readUnitGroup(db: Db, asking: Asking, at: UnitAt, group: string) {
  // What no unit has need not be looked for.
  const [unit, settings, states] = await Promise.all([
    demandUnit(db, asking.scope, at),
    isGroup(group) ? listGroupSettings(db, at, group) : [],
    isGroup(group) ? listGroupStates(db, at, group) : [],
  ]);
  const members = shelfOfType(typeCodeOf(unit)).groups.get(group as GroupName);
  if (members === undefined) throw new Problem('not-found');
  const rowOf = rowsOf(settings, states, valueContext(asking, unit));
  return {
    unitKid: formatKid({ ...at, type: 'unit', tenant: asking.scope.tenant }),
    group,
    kind: kindOf(members),
    values: members.map(rowOf),
  };
}

function rowsOf(
  settings: readonly GivenRow[],
  states: readonly ReportedRow[],
  context: ValueContext,
): (member: Definition) => ValueRow {
  const given = new Map(settings.map((row) => [row.name, row]));
  const reported = new Map(states.map((row) => [row.name, row]));
  return (member) =>
    member.kind === 'Setting'
      ? settingRow(member, given.get(member.name), context)
      : stateRow(member, reported.get(member.name), context);
}

export async function readSettingHistory(db: Db, { scope }: Asking, at: UnitAt, name: string, page: Page) {
  const { offset, limit } = page;
  const [unit, rows] = await Promise.all([
    demandUnit(db, scope, at),
    listHistory(db, at, name, { offset, limit: limit + 1 }),
  ]);
  const definition = findVisible(unit, name);
  if (definition?.kind !== 'Setting') throw new Problem('not-found');
  const framedRows = framed(rows, page);
  return { ...framedRows, items: framedRows.items.map((row) => historyItem(definition, row, scope.tenant)) };
}

/** What a unit has under this exact name, as far as it is shown. */
export const findVisible = (unit: StoredType, name: string): Definition | undefined =>
  shelfOfType(typeCodeOf(unit)).visible.get(name);

export const valueContext = (
  { scope, language, principal }: Asking,
  { currency }: Pick<UnitFacts, 'currency'>,
): ValueContext => ({
  tenant: scope.tenant,
  language,
  currency,
  mayWrite: principal.permissions.has('Unit.Write'),
});
