// What a synchronised folder keeps in two files of its own: by which name its imports are worked on and what was last written
// to `out`; and which charges it has had. Unlike the rest, those cannot be found out again.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';
import { ignoreMissing, writeText } from './sync-files.ts';

type FolderState = {
  /**
   * Names whoever works on the imports of the folder. Only one process has the folder, so the next one goes on at once with
   * what an earlier one has left.
   */
  readonly worker: string;
  /** The SHA-256 of each outgoing file as it was last written. */
  readonly written: Readonly<Record<string, string>>;
};

const folderStateName = '.portal-sync.json';

/** A file that is missing is an empty state. */
const readStateFile = async (path: string): Promise<string> =>
  (await readFile(path, 'utf8').catch(ignoreMissing)) ?? '{}';

/** A damaged file is as none: the imports of an earlier process are then waited for, and exports written once more. */
export async function readSyncState(folder: string): Promise<FolderState> {
  const stored = parseState(await readStateFile(join(folder, folderStateName)));
  if (stored !== undefined) return stored;
  const fresh: FolderState = { worker: randomUUID(), written: {} };
  await writeSyncState(folder, fresh);
  return fresh;
}

export const writeSyncState = (folder: string, state: FolderState): Promise<boolean> =>
  writeText(join(folder, folderStateName), `${JSON.stringify(state)}\n`);

function parseState(text: string): FolderState | undefined {
  try {
    const { worker, written } = JSON.parse(text) as Partial<FolderState>;
    const isState = typeof worker === 'string' && /^[\w-]{1,64}$/.test(worker) && typeof written === 'object';
    return isState ? { worker, written: { ...written } } : undefined;
  } catch {
    return undefined;
  }
}

const FileToRename = Type.Object({
  period: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  /** Which folder it is in: its inode. Empty if the file disappeared there. */
  out: Type.String(),
});
export type Renaming = Static<typeof FileToRename>;

/** By the number of the bank. */
const State = Type.Record(
  Type.String(),
  Type.Object({
    /** The last period that was written, or that had no charges. */
    through: Type.Integer({ minimum: 0 }),
    /** The file that has its temporary name, or was renamed. */
    renaming: Type.Optional(FileToRename),
  }),
);
export type ChargesState = Readonly<Static<typeof State>>;

export const chargesStatePath = (folder: string): string => join(folder, '.portal-sync-charges.json');

/** Throws if the file is damaged: without it charges would be written, and booked, again. */
export async function readChargesState(folder: string): Promise<ChargesState> {
  const path = chargesStatePath(folder);
  const text = await readStateFile(path);
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is damaged`, { cause: error });
  }
  if (!Check(State, state)) throw new Error(`${path} is damaged`);
  return state;
}

export const writeChargesState = (folder: string, state: ChargesState): Promise<boolean> =>
  writeText(chargesStatePath(folder), `${JSON.stringify(state)}\n`);
