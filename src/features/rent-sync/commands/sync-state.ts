// What a synchronised folder keeps in a file of its own: by which name its imports are worked on, and what was last written
// to `out`.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeText } from './sync-files.ts';

type FolderState = {
  /**
   * Names whoever works on the imports of the folder. Only one process has the folder, so the next one goes on at once with
   * what an earlier one has left.
   */
  readonly worker: string;
  /** The SHA-256 of each outgoing file as it was last written. */
  readonly written: Readonly<Record<string, string>>;
};

const stateName = '.portal-sync.json';

/** A damaged file is as none: the imports of an earlier process are then waited for, and exports written once more. */
export async function readSyncState(folder: string): Promise<FolderState> {
  const text = await readFile(join(folder, stateName), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw error;
  });
  const stored = parseState(text);
  if (stored !== undefined) return stored;
  const fresh: FolderState = { worker: randomUUID(), written: {} };
  await writeSyncState(folder, fresh);
  return fresh;
}

export const writeSyncState = (folder: string, state: FolderState): Promise<boolean> =>
  writeText(join(folder, stateName), `${JSON.stringify(state)}\n`);

function parseState(text: string): FolderState | undefined {
  try {
    const { worker, written } = JSON.parse(text) as Partial<FolderState>;
    const isState = typeof worker === 'string' && /^[\w-]{1,64}$/.test(worker) && typeof written === 'object';
    return isState ? { worker, written: { ...written } } : undefined;
  } catch {
    return undefined;
  }
}
