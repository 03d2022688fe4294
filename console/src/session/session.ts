// The session of this tab: the token lives in sessionStorage, so that it survives a reload and ends with the tab.

import type { Login } from '../api/operations.ts';

/** Why there is no session any more; the login screen says so. */
export type EndReason = 'logged-out' | 'expired';

type Stored = { readonly token: string; readonly expiresAtUtc: string };

export type Session = {
  token(): string | undefined;
  begin(login: Login): void;
  end(reason: EndReason): void;
  endReason(): EndReason | undefined;
  /** Called when a session begins or ends. Returns what stops that. */
  subscribe(listener: () => void): () => void;
};

const key = 'portal-console-session';
/** Timers hold no more than 31 bits of milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

export function createSession(storage: Storage): Session {
  const listeners = new Set<() => void>();
  let stored = readSession(storage);
  let reason: EndReason | undefined;
  let timer: number | undefined;

  function change(next: Stored | undefined, why: EndReason | undefined): void {
    stored = next;
    reason = why;
    if (next === undefined) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(next));
    watchExpiry();
    for (const listener of listeners) listener();
  }

  function watchExpiry(): void {
    clearTimeout(timer);
    if (stored === undefined) return;
    const leftMs = Date.parse(stored.expiresAtUtc) - Date.now();
    timer = window.setTimeout(() => change(undefined, 'expired'), Math.min(Math.max(leftMs, 0), maxTimerMs));
  }

  watchExpiry();
  return {
    token: () => stored?.token,
    begin: ({ accessToken, expiresAtUtc }) => change({ token: accessToken, expiresAtUtc }, undefined),
    end: (why) => change(undefined, why),
    endReason: () => reason,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The session that has not expired. What is not ours is removed, as is what has expired. */
export function readSession(storage: Storage): Stored | undefined {
  const text = storage.getItem(key);
  if (text === null) return undefined;
  try {
    const { token, expiresAtUtc } = JSON.parse(text) as Partial<Stored>;
    if (typeof token === 'string' && typeof expiresAtUtc === 'string' && Date.parse(expiresAtUtc) > Date.now())
      return { token, expiresAtUtc };
  } catch {
    // It is not ours.
  }
  storage.removeItem(key);
  return undefined;
}
