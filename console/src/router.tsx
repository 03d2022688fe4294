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
import { firstScreens } from './first-screens.ts';
import { createHeadingFocus } from './layout/heading-focus.ts';
import { Layout } from './layout/layout.tsx';
import { loadAfterPaint } from './layout/load-after-paint.ts';
import { Missing, ScreenFailure } from './layout/missing.tsx';
import type { Language } from './language/languages.ts';
import type { Ask } from './layout/start-screen.ts';
import { safeNext } from './paths.ts';
import { HomeScreen } from './home/home-screen.tsx';
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

const screenAt = (path: string, component: RouteComponent) =>
  createRoute({
    getParentRoute: () => portalRoute,
    path,
    component,
    loader: ({ context, params, location, cause }) => {
      if (cause === 'enter') firstScreens[path]?.start(askWith(context), params, location.search);
    },
  });

const screens = [
  screenAt('/', HomeScreen),
  screenAt(
    '/banks',
    lazyRouteComponent(() => import('./banks/banks-screen.tsx'), 'BanksScreen'),
  ),
  screenAt(
    '/banks/$bankKid',
    lazyRouteComponent(() => import('./banks/bank-screen.tsx'), 'BankScreen'),
  ),
  screenAt(
    '/banks/$bankKid/residents',
    lazyRouteComponent(() => import('./residents/residents-screen.tsx'), 'ResidentsScreen'),
  ),
  screenAt(
    '/banks/$bankKid/residents/new',
    lazyRouteComponent(() => import('./residents/resident-new-screen.tsx'), 'ResidentNewScreen'),
  ),
  screenAt(
    '/banks/$bankKid/residents/$userKid/letter',
    lazyRouteComponent(() => import('./residents/letter-screen.tsx'), 'LetterScreen'),
  ),
  screenAt(
    '/banks/$bankKid/residents/$userKid',
    lazyRouteComponent(() => import('./residents/resident-screen.tsx'), 'ResidentScreen'),
  ),
  screenAt(
    '/banks/$bankKid/residents/$userKid/receipts',
    lazyRouteComponent(() => import('./residents/receipts-screen.tsx'), 'ReceiptsScreen'),
  ),
  screenAt(
    '/banks/$bankKid/account',
    lazyRouteComponent(() => import('./account/account-screen.tsx'), 'AccountScreen'),
  ),
  screenAt(
    '/banks/$bankKid/bookings',
    lazyRouteComponent(() => import('./bookings/bookings-screen.tsx'), 'BookingsScreen'),
  ),
  screenAt(
    '/banks/$bankKid/settlements',
    lazyRouteComponent(() => import('./settlements/settlements-screen.tsx'), 'SettlementsScreen'),
  ),
  screenAt(
    '/banks/$bankKid/settlements/$period',
    lazyRouteComponent(() => import('./settlements/settlement-screen.tsx'), 'SettlementScreen'),
  ),
  screenAt(
    '/banks/$bankKid/held-lines',
    lazyRouteComponent(() => import('./held-lines/held-lines-screen.tsx'), 'HeldLinesScreen'),
  ),
  screenAt(
    '/banks/$bankKid/documents',
    lazyRouteComponent(() => import('./documents/documents-screen.tsx'), 'DocumentsScreen'),
  ),
  screenAt(
    '/documents/$documentKid',
    lazyRouteComponent(() => import('./documents/document-screen.tsx'), 'DocumentScreen'),
  ),
  screenAt(
    '/locations/$locationKid',
    lazyRouteComponent(() => import('./locations/location-screen.tsx'), 'LocationScreen'),
  ),
  screenAt(
    '/units/$unitKid',
    lazyRouteComponent(() => import('./units/unit-screen.tsx'), 'UnitScreen'),
  ),
  screenAt(
    '/banks/$bankKid/computers',
    lazyRouteComponent(() => import('./computers/computers-screen.tsx'), 'ComputersScreen'),
  ),
  screenAt(
    '/computers/$computerKid',
    lazyRouteComponent(() => import('./computers/computer-screen.tsx'), 'ComputerScreen'),
  ),
  screenAt(
    '/imports',
    lazyRouteComponent(() => import('./imports/imports-screen.tsx'), 'ImportsScreen'),
  ),
  screenAt(
    '/imports/new',
    lazyRouteComponent(() => import('./imports/import-new-screen.tsx'), 'ImportNewScreen'),
  ),
  screenAt(
    '/imports/profiles',
    lazyRouteComponent(() => import('./import-profiles/import-profiles-screen.tsx'), 'ImportProfilesScreen'),
  ),
  screenAt(
    '/imports/profiles/$name',
    lazyRouteComponent(() => import('./import-profiles/import-profile-screen.tsx'), 'ImportProfileScreen'),
  ),
  screenAt(
    '/imports/$importKid',
    lazyRouteComponent(() => import('./imports/import-screen.tsx'), 'ImportScreen'),
  ),
  screenAt(
    '/managers',
    lazyRouteComponent(() => import('./managers/managers-screen.tsx'), 'ManagersScreen'),
  ),
  screenAt(
    '/managers/$managerKid',
    lazyRouteComponent(() => import('./managers/manager-screen.tsx'), 'ManagerScreen'),
  ),
  screenAt(
    '/installers',
    lazyRouteComponent(() => import('./installers/installers-screen.tsx'), 'InstallersScreen'),
  ),
  screenAt(
    '/installers/$installerKid',
    lazyRouteComponent(() => import('./installers/installer-screen.tsx'), 'InstallerScreen'),
  ),
  screenAt(
    '/services',
    lazyRouteComponent(() => import('./services/services-screen.tsx'), 'ServicesScreen'),
  ),
  screenAt(
    '/services/$serviceKid',
    lazyRouteComponent(() => import('./services/service-screen.tsx'), 'ServiceScreen'),
  ),
  screenAt(
    '/audit',
    lazyRouteComponent(() => import('./operation/audit-screen.tsx'), 'AuditScreen'),
  ),
  screenAt(
    '/logs/live',
    lazyRouteComponent(() => import('./operation/live-logs-screen.tsx'), 'LiveLogsScreen'),
  ),
  screenAt(
    '/logs/hosting',
    lazyRouteComponent(() => import('./operation/hosting-logs-screen.tsx'), 'HostingLogsScreen'),
  ),
  screenAt(
    '/metrics',
    lazyRouteComponent(() => import('./operation/metrics-screen.tsx'), 'MetricsScreen'),
  ),
  screenAt(
    '/statistics',
    lazyRouteComponent(() => import('./operation/statistics-screen.tsx'), 'StatisticsScreen'),
  ),
  screenAt(
    '/profile',
    lazyRouteComponent(() => import('./profile/profile-screen.tsx'), 'ProfileScreen'),
  ),
  screenAt('/$', Missing),
];

const routeTree = rootRoute.addChildren([loginRoute, portalRoute.addChildren(screens)]);

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
