// What every screen uses: the client, the session, the language, and the manager who is logged in.

import { createContext, use, useSyncExternalStore } from 'react';
import type { Client } from './api/client.ts';
import type { CurrentManager } from './api/operations.ts';
import type { CommandStore } from './command/command-store.ts';
import type { ToastStore } from './command/toast-store.ts';
import type { DisplayStore } from './layout/display.ts';
import type { LanguageState, LanguageStore } from './language/language-store.ts';
import type { ShownLists } from './lists/shown-lists.ts';
import type { Session } from './session/session.ts';

export type Portal = {
  readonly client: Client;
  readonly session: Session;
  readonly languages: LanguageStore;
  readonly display: DisplayStore;
  readonly commands: CommandStore;
  readonly toasts: ToastStore;
  readonly shownLists: ShownLists;
};

export const PortalContext = createContext<Portal | undefined>(undefined);

export function usePortal(): Portal {
  const portal = use(PortalContext);
  if (portal === undefined) throw new Error('a screen is outside the portal');
  return portal;
}

export function useLanguage(): LanguageState {
  const { languages } = usePortal();
  return useSyncExternalStore(languages.subscribe, languages.current);
}

export const ManagerContext = createContext<CurrentManager | undefined>(undefined);

/** The manager who is logged in: for what is shown only to them. */
export function useManager(): CurrentManager {
  const manager = use(ManagerContext);
  if (manager === undefined) throw new Error('a screen for managers is shown without one');
  return manager;
}
