// Starts the console: opens the session of this tab and the reader's language, and shows the screen of the address.

// Before the components, whose style sheets build on it.
import './styles/main.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, type JSX } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { createClient } from './api/client.ts';
import { clearRefused } from './api/clear-refused.ts';
import { readQuery } from './api/use-read.ts';
import { createCommandStore } from './command/command-store.ts';
import { createToastStore } from './command/toast-store.ts';
import { earlyAnswers } from './early.ts';
import { createDisplayStore } from './layout/display.ts';
import { openLanguageStore, type LanguageStore } from './language/language-store.ts';
import { createShownLists } from './lists/shown-lists.ts';
import { firstLanguage, type Language } from './language/languages.ts';
import { PortalContext, useLanguage, type Portal } from './portal.tsx';
import { createConsoleRouter, type ConsoleRouter } from './router.tsx';
import { createSession } from './session/session.ts';

const queries = new QueryClient({
  defaultOptions: {
    // Nothing is repeated by itself: the reader decides, and a service in need is left alone.
    queries: { retry: false, staleTime: 15_000, gcTime: 5 * 60_000 },
    mutations: { retry: false },
  },
});
clearRefused(queries);

const session = createSession(sessionStorage);
const language = firstLanguage(localStorage, navigator.languages);
const opening = openLanguageStore(localStorage, language);
let languages: LanguageStore | undefined;
const currentLanguage = (): Language => languages?.current().language ?? language;
const client = createClient({
  token: session.token,
  language: currentLanguage,
  early: earlyAnswers,
  onUnauthenticated: (token) => {
    // An answer to a token that is no longer ours ends nothing.
    if (session.token() === token) session.end('expired');
  },
});
const commands = createCommandStore(sessionStorage);
const toasts = createToastStore();
const router = createConsoleRouter({ session, queries, client, language: currentLanguage });

session.subscribe(() => {
  if (session.token() !== undefined) return;
  // What one manager saw, the next one must not see.
  queries.clear();
  toasts.clear();
  commands.end(session.endReason() === 'logged-out');
  void router.invalidate();
});

// The texts, the screen and the manager do not depend on each other: they are asked for at once.
void router.load();
if (session.token() !== undefined) void queries.prefetchQuery(readQuery(client, language, 'GetCurrentManager', {}));
languages = await opening;
const portal: Portal = {
  client,
  session,
  languages,
  display: createDisplayStore(localStorage),
  commands,
  toasts,
  shownLists: createShownLists(),
};

function Root({ router: consoleRouter }: { readonly router: ConsoleRouter }): JSX.Element {
  const { locale } = useLanguage();
  return (
    <I18nProvider locale={locale}>
      <RouterProvider router={consoleRouter} />
    </I18nProvider>
  );
}

createRoot(document.getElementById('console') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <PortalContext value={portal}>
        <Root router={router} />
      </PortalContext>
    </QueryClientProvider>
  </StrictMode>,
);
