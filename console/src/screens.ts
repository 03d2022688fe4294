// The screens of the console, each declared once, in the order in which they are shown: the router, the navigation, the
// palette and the tabs of a housing association follow from this table.

import { startAccount } from './account/account-input.ts';
import type { OperationId } from './api/client.ts';
import type { CurrentManager } from './api/operations.ts';
import { may, mayInBank } from './api/rights.ts';
import type { IconName } from './components/icon-paths.ts';
import type { FoundKid, KidType } from './kid.ts';
import type { TextKey } from './language/catalogue.ts';
import type { StartScreen } from './layout/start-screen.ts';

/** The groups of the navigation, the manager's menu, and the tabs of a housing association. */
export type Place = 'start' | 'administration' | 'operation' | 'menu' | 'bank';

type ScreenBase = {
  readonly path: string;
  /** The module of the component, which is named as its file is. */
  readonly module: `${string}/${string}-screen`;
  /** What the screen reads; without it everybody may open the screen. */
  readonly operation?: OperationId;
  /** The operation needs a grant of the whole housing association. */
  readonly isBankWide?: boolean;
  /** The objects whose KIDs lead to the screen, as the palette names them. */
  readonly kid?: {
    readonly type: KidType;
    readonly text: TextKey;
    readonly icon: IconName;
    readonly search?: Readonly<Record<string, string>>;
  };
  /** Asks for what the screen will read while it is being loaded: for a screen that many open first. */
  readonly start?: StartScreen;
};

/** A screen that the palette finds by its title, and that is shown in one more place. */
export type ShownScreen = ScreenBase & {
  readonly shownIn: Place;
  readonly title: TextKey;
  readonly icon: IconName;
};

export type Screen = ShownScreen | (ScreenBase & { readonly shownIn?: undefined });

const declared = [
  { path: '/', module: 'home/home-screen', shownIn: 'start', title: 'nav.home', icon: 'home' },
  {
    path: '/banks',
    module: 'banks/banks-screen',
    shownIn: 'start',
    title: 'nav.banks',
    icon: 'bank',
    operation: 'GetBankIcons',
  },
  {
    path: '/statistics',
    module: 'monitoring/statistics-screen',
    shownIn: 'start',
    title: 'nav.statistics',
    icon: 'statistics',
  },
  {
    path: '/banks/$bankKid',
    module: 'banks/bank-screen',
    shownIn: 'bank',
    title: 'bank.locations',
    icon: 'location',
    operation: 'GetBankLocations',
    kid: { type: 'bank', text: 'word.bank', icon: 'bank' },
  },
  {
    path: '/banks/$bankKid/residents',
    module: 'residents/residents-screen',
    shownIn: 'bank',
    title: 'bank.residents',
    icon: 'residents',
    operation: 'GetBankUsers',
  },
  {
    path: '/banks/$bankKid/account',
    module: 'account/account-screen',
    shownIn: 'bank',
    title: 'bank.account',
    icon: 'account',
    operation: 'GetBankAccount',
    kid: { type: 'posting', text: 'word.posting', icon: 'account' },
    start: startAccount,
  },
  {
    path: '/banks/$bankKid/bookings',
    module: 'bookings/bookings-screen',
    shownIn: 'bank',
    title: 'bank.bookings',
    icon: 'bookings',
    operation: 'GetBankBookings',
  },
  {
    path: '/banks/$bankKid/settlements',
    module: 'settlements/settlements-screen',
    shownIn: 'bank',
    title: 'bank.settlements',
    icon: 'settlements',
    operation: 'GetBankSettlements',
    isBankWide: true,
  },
  {
    path: '/banks/$bankKid/documents',
    module: 'documents/documents-screen',
    shownIn: 'bank',
    title: 'bank.documents',
    icon: 'documents',
    operation: 'GetBankDocuments',
  },
  {
    path: '/banks/$bankKid/computers',
    module: 'computers/computers-screen',
    shownIn: 'bank',
    title: 'bank.computers',
    icon: 'computer',
    operation: 'GetComputers',
  },
  {
    path: '/banks/$bankKid/held-lines',
    module: 'held-lines/held-lines-screen',
    shownIn: 'bank',
    title: 'bank.heldLines',
    icon: 'held',
    operation: 'GetHeldLines',
    kid: { type: 'heldLine', text: 'word.heldLine', icon: 'held', search: { state: 'all' } },
  },
  { path: '/banks/$bankKid/residents/new', module: 'residents/resident-new-screen' },
  {
    path: '/banks/$bankKid/residents/$userKid',
    module: 'residents/resident-screen',
    operation: 'GetBankUserWorkspace',
    kid: { type: 'resident', text: 'word.resident', icon: 'manager' },
  },
  { path: '/banks/$bankKid/residents/$userKid/letter', module: 'residents/letter-screen' },
  { path: '/banks/$bankKid/residents/$userKid/receipts', module: 'residents/receipts-screen' },
  { path: '/banks/$bankKid/settlements/$period', module: 'settlements/settlement-screen' },
  {
    path: '/locations/$locationKid',
    module: 'locations/location-screen',
    operation: 'GetLocationUnits',
    kid: { type: 'location', text: 'word.location', icon: 'location' },
  },
  {
    path: '/units/$unitKid',
    module: 'units/unit-screen',
    operation: 'GetUnitOverview',
    kid: { type: 'unit', text: 'word.unit', icon: 'unit' },
  },
  {
    path: '/documents/$documentKid',
    module: 'documents/document-screen',
    operation: 'GetUnitDocumentTable',
    kid: { type: 'document', text: 'word.document', icon: 'documents' },
  },
  {
    path: '/computers/$computerKid',
    module: 'computers/computer-screen',
    operation: 'GetComputer',
    kid: { type: 'computer', text: 'word.computer', icon: 'computer' },
  },
  {
    path: '/managers',
    module: 'managers/managers-screen',
    shownIn: 'administration',
    title: 'nav.managers',
    icon: 'managers',
    operation: 'GetManagers',
  },
  {
    path: '/managers/$managerKid',
    module: 'managers/manager-screen',
    operation: 'GetManager',
    kid: { type: 'manager', text: 'word.manager', icon: 'manager' },
  },
  {
    path: '/installers',
    module: 'installers/installers-screen',
    shownIn: 'administration',
    title: 'nav.installers',
    icon: 'installers',
    operation: 'GetInstallers',
  },
  {
    path: '/installers/$installerKid',
    module: 'installers/installer-screen',
    operation: 'GetInstaller',
    kid: { type: 'installer', text: 'nav.installers', icon: 'installers' },
  },
  {
    path: '/services',
    module: 'services/services-screen',
    shownIn: 'administration',
    title: 'nav.services',
    icon: 'services',
    operation: 'GetServices',
  },
  {
    path: '/services/$serviceKid',
    module: 'services/service-screen',
    operation: 'GetService',
    kid: { type: 'service', text: 'word.service', icon: 'services' },
  },
  {
    path: '/imports',
    module: 'imports/imports-screen',
    shownIn: 'administration',
    title: 'nav.imports',
    icon: 'import',
    operation: 'GetImports',
  },
  {
    path: '/imports/$importKid',
    module: 'imports/import-screen',
    operation: 'GetImport',
    kid: { type: 'import', text: 'word.import', icon: 'import' },
  },
  { path: '/imports/new', module: 'imports/import-new-screen' },
  { path: '/imports/profiles', module: 'import-profiles/import-profiles-screen' },
  { path: '/imports/profiles/$name', module: 'import-profiles/import-profile-screen' },
  {
    path: '/audit',
    module: 'monitoring/audit-screen',
    shownIn: 'administration',
    title: 'nav.audit',
    icon: 'audit',
    operation: 'GetAuditLog',
  },
  {
    path: '/logs/live',
    module: 'monitoring/live-logs-screen',
    shownIn: 'operation',
    title: 'nav.liveLogs',
    icon: 'liveLogs',
    operation: 'GetLiveLogs',
  },
  {
    path: '/logs/hosting',
    module: 'monitoring/hosting-logs-screen',
    shownIn: 'operation',
    title: 'nav.hostingLogs',
    icon: 'hosting',
    operation: 'GetHostingLogs',
  },
  {
    path: '/metrics',
    module: 'monitoring/metrics-screen',
    shownIn: 'operation',
    title: 'nav.metrics',
    icon: 'metrics',
    operation: 'GetHostingMetrics',
  },
  { path: '/profile', module: 'profile/profile-screen', shownIn: 'menu', title: 'nav.profile', icon: 'manager' },
] as const satisfies readonly Screen[];

type TabOf<Path> = Path extends `/banks/$bankKid/${infer Tab}` ? Tab : '';

/** What follows the KID of the housing association in the address of one of its screens; nothing for its locations. */
export type BankTab = TabOf<Extract<(typeof declared)[number], { shownIn: 'bank' }>['path']>;

export const screens: readonly Screen[] = declared;

export const screensIn = (place: Place): readonly ShownScreen[] =>
  screens.filter((screen): screen is ShownScreen => screen.shownIn === place);

/** @param bankKid of the housing association of which the screen is a part */
export const mayOpenScreen = (manager: CurrentManager, { operation, isBankWide }: Screen, bankKid = ''): boolean =>
  operation === undefined || (isBankWide === true ? mayInBank(manager, bankKid, operation) : may(manager, operation));

/** A booking has to be read first: its list is that of a day. */
export const screenOfKid = ({ type }: FoundKid): Screen | undefined => screens.find(({ kid }) => kid?.type === type);
