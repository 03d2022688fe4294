// The screens by their addresses. The first ones come with the application; each other screen is loaded when it is
// opened.

import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router';
import type { Client } from './api/client.ts';
import { readQuery } from './api/use-read.ts';
import { createHeadingFocus } from './layout/heading-focus.ts';
import { Layout } from './layout/layout.tsx';
import { loadAfterPaint } from './layout/load-after-paint.ts';
import { Missing, ScreenFailure } from './layout/missing.tsx';
import type { Language } from './language/languages.ts';
import type { Ask } from './layout/start-screen.ts';
import { safeNext } from './paths.ts';
import { HomeScreen } from './home/home-screen.tsx';
import { screens, type Screen } from './screens.ts';
import { LoginScreen } from './session/login-screen.tsx';
import type { Session } from './session/session.ts';

type RouterContext = {
  readonly session: Session;
  readonly queries: QueryClient;
  readonly client: Client;
  readonly language: () => Language;
};

type Search = Record<string, string>;

/** Every value in an address is text: a filter of digits stays what was typed. */
const toTexts = (search: Record<string, unknown>): Search =>
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );

const rootRoute = createRootRouteWithContext<RouterContext>()({
  validateSearch: toTexts,
  notFoundComponent: Missing,
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  beforeLoad: ({ context: { session }, search }) => {
    if (session.token() !== undefined) throw redirect({ href: safeNext(search['next']) });
  },
  component: LoginScreen,
});

/** Everything that needs a login. The address asked for survives it. */
const portalRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'portal',
  beforeLoad: ({ context: { session }, location }) => {
    if (session.token() !== undefined) return;
    const next = safeNext(location.href);
    throw redirect({ to: '/login', search: next === '/' ? {} : { next } });
  },
  component: Layout,
});

/** What is read here is there when the screen asks for it, or is on its way. */
const askWith =
  ({ queries, client, language }: RouterContext): Ask =>
  (id, input, then = () => {}) =>
    void queries.fetchQuery(readQuery(client, language(), id, input)).then(then, () => {});

/** The screens that are loaded when they are opened. */
const modules = import.meta.glob<Readonly<Record<string, RouteComponent>>>([
  './*/*-screen.tsx',
  '!./home/home-screen.tsx',
  '!./session/login-screen.tsx',
]);

/** `banks/banks-screen` -> `BanksScreen`. */
const componentName = (module: string): string =>
  module.slice(module.indexOf('/')).replaceAll(/[/-](\w)/g, (_, first: string) => first.toUpperCase());

function componentOf({ path, module }: Screen): RouteComponent {
  const load = modules[`./${module}.tsx`];
  if (load !== undefined) return lazyRouteComponent(load, componentName(module));
  if (path !== '/') throw new Error(`no module ${module}`);
  return HomeScreen;
}

const routes = screens.map((screen) =>
  createRoute({
    getParentRoute: () => portalRoute,
    path: screen.path,
    component: componentOf(screen),
    loader: ({ context, params, location, cause }) => {
      if (cause === 'enter') screen.start?.(askWith(context), params, location.search);
    },
  }),
);

const missingRoute = createRoute({ getParentRoute: () => portalRoute, path: '/$', component: Missing });

const routeTree = rootRoute.addChildren([loginRoute, portalRoute.addChildren([...routes, missingRoute])]);

export function createConsoleRouter(context: RouterContext) {
  const router = createRouter({
    routeTree,
    basepath: '/console',
    context,
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: ScreenFailure,
    defaultNotFoundComponent: Missing,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(toTexts(search)).toString();
      return text === '' ? '' : `?${text}`;
    },
  });
  loadAfterPaint(router);
  const focusHeading = createHeadingFocus();
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation !== undefined && pathChanged) focusHeading();
  });
  return router;
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>;
