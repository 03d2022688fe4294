// Writes the exports of a synchronised folder to `out`: only those that differ from the last one that was written.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { todayIn } from '../../../lib/time/time-zone.ts';
import type { OutgoingFile } from '../rules/sync-config.ts';
import { formatOutgoingName } from '../rules/sync-names.ts';
import { recordExportByOperator, writeExport } from '../../imports/commands/export-by-operator.ts';
import type { OperatorImports } from '../../imports/commands/import-by-operator.ts';
import { writeAtomically } from './sync-files.ts';
import { readSyncState, writeSyncState } from './sync-state.ts';

/** The name of the file that was written; undefined if there is nothing new. */
export async function writeOutgoing(
  operator: OperatorImports,
  folder: string,
  outgoing: OutgoingFile,
): Promise<string | undefined> {
  const { kind, bankId, profile, file } = outgoing;
  const exported = { kind, bankId, source: profile };
  const id = JSON.stringify([kind, bankId, profile ?? null, file]);
  const state = await readSyncState(folder);
  const name = formatOutgoingName(file, findDay(operator));
  const hash = createHash('sha256');
  let digest = '';
  const isWritten = await writeAtomically(join(folder, 'out', name), async (add) => {
    await writeExport(operator, exported, async (text) => {
      hash.update(text);
      await add(text);
    });
    digest = hash.digest('hex');
    if (state.written[id] === digest) return false;
    await recordExportByOperator(operator, exported);
    return true;
  });
  if (!isWritten) return undefined;
  // Whoever ends before this writes the same once more.
  await writeSyncState(folder, { ...state, written: { ...state.written, [id]: digest } });
  return name;
}

export const findDay = ({ tenant, clock }: OperatorImports): string => todayIn(tenant.timeZone, clock()).toString();
