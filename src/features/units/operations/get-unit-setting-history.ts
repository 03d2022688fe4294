// GetUnitSettingHistory: lists the values that a setting of a unit has had.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import type { PageQuery } from '../../../http/schemas/list-schemas.ts';
import { toPage } from '../../../lib/values/paging.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredUnit, type UnitKey } from '../../../permissions/coverage.ts';
import { requireUnit } from '../../places/require-place.ts';
import { findVisibleDefinition } from '../catalogue/type-catalogue.ts';
import { listSettingHistory, type HistoryPosition } from '../queries/unit-values.ts';
import { toSettingHistoryItem } from '../answers.ts';

type GetUnitSettingHistoryInput = {
  readonly unitKid: UnitKey;
  readonly setting: string;
  readonly pagination: PageQuery;
};

export async function getUnitSettingHistory(
  context: ManagerContext,
  { unitKid, setting, pagination }: GetUnitSettingHistoryInput,
) {
  const granted = requireCoveredUnit(context.scope, unitKid);
  const request = await openPage<HistoryPosition>(context, pagination);
  const { after, offset, limit } = request;
  return context.read(async (db) => {
    const [unit, rows] = await Promise.all([
      requireUnit(db, granted),
      listSettingHistory(db, granted, { name: setting, after, offset, limit: limit + 1 }),
    ]);
    const definition = findVisibleDefinition(unit, setting);
    if (definition?.kind !== 'Setting') throw new Problem('not-found');
    const page = toPage(rows, request, ({ version }) => [version]);
    return { ...page, items: page.items.map((row) => toSettingHistoryItem(definition, row, granted.tenant)) };
  });
}
