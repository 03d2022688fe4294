// Which charges a synchronised folder has had, in a file of its own: unlike what else is known of the folder, it cannot be
// found out again.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { writeText } from './sync-files.ts';

export type Renaming = {
  readonly period: number;
  readonly name: string;
  /** Which folder it is in: its inode. Empty if the file disappeared there. */
  readonly out: string;
};

type BankState = {
  /** The last period that was written, or that had no charges. */
  readonly through: number;
  /** The file that has its temporary name, or was renamed. */
  readonly renaming?: Renaming;
};

/** By the number of the bank. */
export type ChargesState = Readonly<Record<string, BankState>>;

const State = Type.Record(
  Type.String(),
  Type.Object({
    through: Type.Integer({ minimum: 0 }),
    renaming: Type.Optional(
      Type.Object({ period: Type.Integer({ minimum: 1 }), name: Type.String(), out: Type.String() }),
    ),
  }),
);

const stateName = '.portal-sync-charges.json';
export const chargesStatePath = (folder: string): string => join(folder, stateName);

/** Throws if the file is damaged: without it charges would be written, and booked, again. */
export async function readChargesState(folder: string): Promise<ChargesState> {
  const path = chargesStatePath(folder);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw error;
  });
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
