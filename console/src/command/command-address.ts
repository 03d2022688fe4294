// Which command is open is in the address, as `do`: a reload shows the same dialog, Back closes it, and a link or the
// palette opens it. Its value is the name of the command, and what it is about after a dot: `cancel.sund-B1001-E17`.

import { useLocation, useRouter, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { WriteId } from '../api/client.ts';
import { may } from '../api/rights.ts';
import type { Search } from '../lists/search-values.ts';
import { useManager, usePortal } from '../portal.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** This entry of the browser's history was made by opening a command: closing it goes back. */
    opensCommand?: boolean;
  }
}

export type CommandAddress = {
  /** The command that is open, with what it is about. */
  readonly opened: string | undefined;
  open(name: string): void;
  /** Closes the command, unless another one has been opened since. */
  close(name: string): void;
};

const parameter = 'do';

export function useCommandAddress(): CommandAddress {
  const router = useRouter();
  const search: Search = useSearch({ strict: false });
  const opened = search[parameter];
  return useMemo(() => {
    const current = (): Search => router.state.location.search;
    return {
      opened,
      open: (name) =>
        void router.navigate({
          to: '.',
          search: { ...withoutCommand(current()), [parameter]: name },
          state: { opensCommand: true },
          resetScroll: false,
        }),
      close: (name) => {
        if (current()[parameter] !== name) return;
        if (router.state.location.state.opensCommand === true) router.history.back();
        else void router.navigate({ to: '.', search: withoutCommand(current()), replace: true, resetScroll: false });
      },
    };
  }, [router, opened]);
}

type OpenOptions = {
  /** What the command calls: without the right to it, it is not shown. */
  readonly id: WriteId;
  /** The right, if it does not follow from the operation alone. */
  readonly isAllowed?: boolean;
};

/**
 * What the open command is about, if it is the one of this name; empty if it is about nothing in particular. A manager
 * who has lost the right while typing still sees what was typed.
 */
export function useOpenCommand(name: string, { id, isAllowed }: OpenOptions): string | undefined {
  const { commands } = usePortal();
  const manager = useManager();
  const { opened = '' } = useCommandAddress();
  const draftKey = useDraftKey(opened);
  if (opened !== name && !opened.startsWith(`${name}.`)) return undefined;
  const isShown = (isAllowed ?? may(manager, id)) || commands.read(draftKey, manager.kid) !== undefined;
  return isShown ? opened.slice(name.length + 1) : undefined;
}

/** Under which a command keeps what was typed: the screen, and the command. */
export function useDraftKey(name: string): string {
  const { pathname } = useLocation();
  return `${pathname} ${name}`;
}

function withoutCommand(search: Search): Record<string, string> {
  const { [parameter]: _, ...others } = search as Readonly<Record<string, string>>;
  return others;
}
