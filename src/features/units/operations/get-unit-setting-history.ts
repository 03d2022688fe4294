// GetUnitSettingHistory: lists the values that a setting of a unit has had.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { Pagination } from '../../../http/schemas/list-schemas.ts';
import { toPage } from '../../../lib/paging.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredUnit, type UnitKey } from '../../../permissions/coverage.ts';
import { requireUnit } from '../../places/require-place.ts';
import { findVisibleDefinition } from '../catalogue/type-catalogue.ts';
import { listSettingHistory } from '../queries/unit-values.ts';
import { toSettingHistoryItem } from '../answers.ts';

type GetUnitSettingHistoryInput = {
  readonly unitKid: UnitKey;
  readonly setting: string;
  readonly pagination: Pagination;
};

export function getUnitSettingHistory(
  context: ManagerContext,
  { unitKid, setting, pagination }: GetUnitSettingHistoryInput,
) {
  const granted = requireCoveredUnit(context.scope, unitKid);
  const { offset, limit } = pagination;
  return context.read(async (db) => {
    const [unit, rows] = await Promise.all([
      requireUnit(db, granted),
      listSettingHistory(db, granted, { name: setting, offset, limit: limit + 1 }),
    ]);
    const definition = findVisibleDefinition(unit, setting);
    if (definition?.kind !== 'Setting') throw new Problem('not-found');
    const page = toPage(rows, pagination);
    return { ...page, items: page.items.map((row) => toSettingHistoryItem(definition, row, granted.tenant)) };
  });
}
