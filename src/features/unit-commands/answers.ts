// Formats commands of units.

import { formatUtc } from '../../lib/ms2000.ts';
import type { UnitCommandRow } from './queries/unit-commands.ts';
import { commandStateAt } from './rules/command-state.ts';
import type { CommandName } from './rules/command-catalogue.ts';
import type { UnitCommand } from './schemas.ts';

export const toUnitCommand = (row: UnitCommandRow, now: number): UnitCommand => ({
  id: `C${row.command_id}`,
  name: row.name as CommandName,
  state: commandStateAt(row, now),
  createdUtc: formatUtc(row.created_at),
  createdBy: row.creator_name,
  expiresUtc: formatUtc(row.expires_at),
  finishedUtc: row.finished_at === null ? null : formatUtc(row.finished_at),
  code: row.result_code ?? row.sync_code,
});
