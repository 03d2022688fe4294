// GetUnitCommands: lists the commands that were sent to a unit, newest first.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import type { PageQuery } from '../../../http/schemas/list-schemas.ts';
import { toPage } from '../../../lib/values/paging.ts';
import { requireCoveredUnit, type UnitKey } from '../../../permissions/coverage.ts';
import { requireUnit } from '../../places/require-place.ts';
import { toUnitCommand } from '../answers.ts';
import { listUnitCommands, type CommandPosition } from '../queries/unit-commands.ts';

type GetUnitCommandsInput = { readonly unitKid: UnitKey; readonly listing: PageQuery };

export async function getUnitCommands(context: ManagerContext, { unitKid, listing }: GetUnitCommandsInput) {
  const granted = requireCoveredUnit(context.scope, unitKid);
  const request = await openPage<CommandPosition>(context, listing);
  const { after, offset, limit } = request;
  return context.read(async (db) => {
    const [rows] = await Promise.all([
      listUnitCommands(db, granted, { after, offset, limit: limit + 1 }),
      requireUnit(db, granted),
    ]);
    const page = toPage(rows, request, ({ command_id }) => [command_id]);
    return { ...page, items: page.items.map((row) => toUnitCommand(row, context)) };
  });
}
