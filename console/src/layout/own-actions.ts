// What managers do with their own session and display, wherever it is offered.

import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { CurrentManager } from '../api/operations.ts';
import { usePortal } from '../portal.tsx';

export type OwnActions = {
  readonly chooseTheme: (theme: number) => Promise<void>;
  readonly logOut: () => Promise<void>;
};

export function useOwnActions(manager: CurrentManager): OwnActions {
  const { client, session, display } = usePortal();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return {
    chooseTheme: async (theme) => {
      display.showTheme(theme);
      try {
        await client.call('SetCurrentManagerTheme', {}, { body: { theme } });
      } catch {
        // It stays as it is stored.
        display.showTheme(manager.theme);
      }
      await queries.invalidateQueries({ queryKey: ['GetCurrentManager'] });
    },
    logOut: async () => {
      try {
        await client.call('LogoutManager', {});
      } catch {
        // The service could not be told. The token leaves this tab all the same, and ends by itself.
      }
      session.end('logged-out');
      await navigate({ to: '/login', search: {} });
    },
  };
}
