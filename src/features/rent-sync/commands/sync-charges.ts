// Writes the charges of closed settlement periods to the folder `out`. Each period is written once, even if a process
// ends early.

import { access, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutgoingCharges } from '../rules/sync-config.ts';
import { formatOutgoingName, temporaryNameOf } from '../rules/sync-names.ts';
import type { OperatorImports } from '../../imports/commands/import-by-operator.ts';
import {
  chargesStatePath,
  readChargesState,
  writeChargesState,
  type ChargesState,
  type Renaming,
} from './sync-state.ts';
import { renameThrough, writeThrough } from './sync-files.ts';
import { findDay } from './sync-out.ts';

/** The source of charges. */
export type ChargesSource = {
  /** The numbers of the closed periods of a bank, in their order. */
  listPeriods(bankId: number): Promise<readonly number[]>;
  /** The whole file of a period, which is recorded to leave the service unless it has no charges. */
  readPeriod(bankId: number, period: number): Promise<{ readonly count: number; content(): Iterable<Uint8Array> }>;
};

type ChargesWork = {
  readonly operator: OperatorImports;
  readonly folder: string;
  readonly chargesSource: ChargesSource;
  readonly signal: AbortSignal;
};

/**
 * The names of the files that are written. A period without charges has none. Another system may take a file as soon as
 * the file has its final name, and books what the file says. So this process writes the file under a temporary name,
 * stores in the state that the file is about to be renamed, and only then renames the file.
 */
export async function* writeDueCharges(
  work: ChargesWork,
  { bankId, file, fromPeriod }: OutgoingCharges,
): AsyncGenerator<string> {
  const { operator, folder, chargesSource, signal } = work;
  const renamed = await endRenaming(folder, bankId);
  if (renamed !== undefined) yield renamed;
  const { through = 0 } = (await readChargesState(folder))[bankId] ?? {};
  const periods = await chargesSource.listPeriods(bankId);
  for (const period of periods.filter((each) => each > through && each >= fromPeriod)) {
    if (signal.aborted) return;
    const { count, content } = await chargesSource.readPeriod(bankId, period);
    if (count === 0) {
      await changeState(folder, bankId, { through: period });
      continue;
    }
    const name = formatOutgoingName(file, findDay(operator), period);
    await writeTemporary(folder, name, content());
    const renaming = { period, name, out: await identifyOut(folder) };
    await changeState(folder, bankId, { through, renaming });
    if (!(await renameIfThere(folder, name))) {
      await changeState(folder, bankId, { through, renaming: { ...renaming, out: disappeared } });
      throw new LostCharges(folder, bankId, renaming);
    }
    await changeState(folder, bankId, { through: period });
    yield name;
  }
}

/** In place of the folder in which the file was. */
const disappeared = '';

/** A path leads to another folder if its file system is not there. */
const identifyOut = async (folder: string): Promise<string> =>
  String((await stat(join(folder, 'out'), { bigint: true })).ino);

/** Whether another system has taken the file, nobody can find out here. */
class LostCharges extends Error {
  constructor(folder: string, bankId: number, { period, name }: Renaming) {
    super(
      `whether ${name} got its name is not known: it is gone. In ${chargesStatePath(folder)} say ` +
        `{"through": ${period}} of bank ${bankId} if the other system has it, and {"through": ${period - 1}} if not`,
    );
  }
}

async function writeTemporary(folder: string, name: string, content: Iterable<Uint8Array>): Promise<void> {
  const temporary = join(folder, 'out', temporaryNameOf(name));
  try {
    await writeThrough(temporary, async (add) => {
      for (const chunk of content) await add(chunk);
      return true;
    });
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Finishes the renaming that a process left when the process ended. Returns the name of the file if this function
 * renamed the file. The process that ended may have renamed the file or not. If the file still has the temporary name,
 * this function renames the file. Otherwise the function knows that the file was renamed. There are two exceptions: the
 * folder is another folder than before, or the file disappeared before the file was renamed. In these cases a person
 * has to look.
 */
async function endRenaming(folder: string, bankId: number): Promise<string | undefined> {
  const { renaming } = (await readChargesState(folder))[bankId] ?? {};
  if (renaming === undefined) return undefined;
  const { period, name, out } = renaming;
  const isRenamed = await renameIfThere(folder, name);
  if (!isRenamed && out !== (await identifyOut(folder))) throw new LostCharges(folder, bankId, renaming);
  await changeState(folder, bankId, { through: period });
  return isRenamed ? name : undefined;
}

/** False if there is no file with the temporary name. */
async function renameIfThere(folder: string, name: string): Promise<boolean> {
  const temporary = join(folder, 'out', temporaryNameOf(name));
  try {
    await access(temporary);
    await renameThrough(temporary, join(folder, 'out', name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}

async function changeState(folder: string, bankId: number, state: ChargesState[string]): Promise<void> {
  await writeChargesState(folder, { ...(await readChargesState(folder)), [bankId]: state });
}
