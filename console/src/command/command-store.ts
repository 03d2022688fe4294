// Stores what managers have typed, and what managers have sent without a certain answer.

import type { Problem } from '../api/problem.ts';

export type FieldValue = string | boolean | readonly string[];
export type Values = Readonly<Record<string, FieldValue>>;

/** What the service has stored, as the fields of a command show it. */
export type Version<V extends Values = Values> = {
  readonly values: V;
  /** With which it was read: the service refuses what was typed over an older one. */
  readonly revision?: string;
  /** Who has stored it, and when. */
  readonly editorName?: string | null;
  readonly editedAtUtc?: string | null;
};

/** A request that was sent, and is not known to be done or refused. */
type Attempt = {
  readonly key: string;
  /** The whole request: only the same one may be sent again with the key. */
  readonly request: string;
};

export type CommandEntry = {
  /** KID of the manager. */
  readonly owner: string;
  /** What the manager began from. */
  readonly base: Version;
  readonly values: Values;
  readonly attempt?: Attempt | undefined;
  /** Has a password or a code in it: it is never written down. */
  readonly isSecret: boolean;
  readonly isSending: boolean;
  /** It was done: the dialog shows it until it is closed, and nothing of it is written down any more. */
  readonly isDone?: boolean;
  readonly problem?: Problem | undefined;
  /** What somebody else has stored meanwhile. */
  readonly theirs?: Version | undefined;
};

export type CommandStore = {
  /** @param owner KID of the manager who asks */
  read(key: string, owner: string): CommandEntry | undefined;
  write(key: string, entry: CommandEntry): void;
  remove(key: string): void;
  /** It was done. */
  finish(key: string): void;
  /** A manager is logged in: what others have left goes. */
  belongTo(owner: string): void;
  /** The session has ended. @param isForgotten nothing stays, not even for the same manager */
  end(isForgotten: boolean): void;
  subscribe(listener: () => void): () => void;
};

const prefix = 'portal-console-draft ';

type Stored = Pick<CommandEntry, 'owner' | 'base' | 'values' | 'attempt'>;

/**
 * An entry is kept while the manager moves between screens. `sessionStorage` keeps the entry over a reload. An entry
 * ends with success, with a logout, and with the tab. After the service has ended a session, the entry stays in memory
 * alone, for the same manager: another manager never gets the entry.
 */
export function createCommandStore(storage: Storage): CommandStore {
  const listeners = new Set<() => void>();
  const entries = readAll(storage);
  let isEnded = false;

  const tell = (): void => {
    for (const listener of listeners) listener();
  };

  function store(key: string, { owner, base, values, attempt, isSecret, isDone }: CommandEntry): void {
    if (isEnded || isSecret || isDone === true) return;
    try {
      storage.setItem(prefix + key, JSON.stringify({ owner, base, values, attempt } satisfies Stored));
    } catch {
      // The storage of the tab is full: the typing is kept until a reload.
    }
  }

  function remove(key: string): void {
    entries.delete(key);
    storage.removeItem(prefix + key);
  }

  return {
    read: (key, owner) => {
      const entry = entries.get(key);
      return entry?.owner === owner ? entry : undefined;
    },
    write: (key, entry) => {
      entries.set(key, entry);
      store(key, entry);
      tell();
    },
    remove: (key) => {
      remove(key);
      tell();
    },
    finish: (key) => {
      const entry = entries.get(key);
      if (entry !== undefined) entries.set(key, { ...entry, isDone: true });
      storage.removeItem(prefix + key);
      tell();
    },
    belongTo: (owner) => {
      isEnded = false;
      for (const [key, entry] of entries)
        if (entry.owner === owner) store(key, entry);
        else remove(key);
      tell();
    },
    end: (isForgotten) => {
      isEnded = true;
      for (const key of entries.keys())
        if (isForgotten) remove(key);
        else storage.removeItem(prefix + key);
      tell();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function readAll(storage: Storage): Map<string, CommandEntry> {
  const entries = new Map<string, CommandEntry>();
  for (const name of Object.keys(storage).filter((each) => each.startsWith(prefix))) {
    try {
      const stored = JSON.parse(storage.getItem(name) ?? '') as Stored;
      entries.set(name.slice(prefix.length), { ...stored, isSecret: false, isSending: false });
    } catch {
      // What is not ours is removed.
      storage.removeItem(name);
    }
  }
  return entries;
}
