// Formats commands of units.

import type { Language } from '../../lib/text/language.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { UnitCommandRow } from './queries/unit-commands.ts';
import { commandStateAt } from './rules/command-state.ts';
import { formatCommandLabel, type CommandName } from '../units/rules/command-catalogue.ts';
import type { UnitCommand } from './schemas.ts';

type UnitCommandContext = { readonly now: number; readonly language: Language };

export const toUnitCommand = (row: UnitCommandRow, { now, language }: UnitCommandContext): UnitCommand => ({
  id: `C${row.command_id}`,
  name: row.name as CommandName,
  label: formatCommandLabel(row.name as CommandName, language),
  state: commandStateAt(row, now),
  createdUtc: formatUtc(row.created_at),
  createdBy: row.creator_name,
  expiresUtc: formatUtc(row.expires_at),
  finishedUtc: row.finished_at === null ? null : formatUtc(row.finished_at),
  code: row.result_code ?? row.sync_code,
});
