// The screens of the console, with the demo data of a tenant.

import { screens } from '../../../console/src/screens.ts';
import { readConsoleLocale } from '../../support/locales.ts';

/** What the placeholders of the addresses stand for. */
const demo: Readonly<Record<string, string>> = {
  bankKid: 'sund-B1001',
  userKid: 'sund-B1001-R1001',
  period: '26',
  locationKid: 'sund-B1001-L1',
  unitKid: 'sund-B1001-L1-U2',
  managerKid: 'sund-M1005',
  installerKid: 'sund-I2001',
  serviceKid: 'sund-B0-M1',
  name: 'danish-residents',
};

/** Screens of objects that the demo data have not, or have with another KID each time: they have tests of their own. */
const isElsewhere = new Set(['/documents/$documentKid', '/computers/$computerKid', '/imports/$importKid']);

/** The headings of screens that are not in the navigation. */
const headings: Readonly<Record<string, string>> = {
  '/banks/$bankKid/residents/new': 'New resident',
  '/banks/$bankKid/residents/$userKid': 'Demo Resident 1',
  '/banks/$bankKid/residents/$userKid/letter': 'Activation letter',
  '/banks/$bankKid/residents/$userKid/receipts': 'Receipts',
  '/banks/$bankKid/settlements/$period': 'Period 26',
  '/locations/$locationKid': 'Alder house A',
  '/units/$unitKid': 'Washer 2',
  '/managers/$managerKid': 'Clerk of Sund',
  '/installers/$installerKid': 'Demo Installer Alder',
  '/services/$serviceKid': 'Gateway of the demo equipment',
  '/imports/new': 'Import or export',
  '/imports/profiles': 'Profiles',
  '/imports/profiles/$name': 'danish-residents',
};

/** Screens that are looked at with other values in their addresses, or with several. */
const views: Readonly<Record<string, readonly string[]>> = {
  '/banks/$bankKid': ['', '?view=map'],
  '/banks/$bankKid/account': ['', '?period=dates', '?view=documents'],
  '/banks/$bankKid/bookings': ['', '?view=week'],
  '/banks/$bankKid/documents': ['?days=7'],
  '/banks/$bankKid/held-lines': ['?state=all'],
  '/units/$unitKid': ['?group=Operation', '?group=Operation&setting=MaxTemperature', '?group=Status'],
};

const texts = new Map(readConsoleLocale('en').map(({ key, text }) => [key, text]));

/** The heading of each screen, by its address. */
export const consoleScreens: readonly (readonly [path: string, heading: string])[] = screens
  .filter(({ path }) => !isElsewhere.has(path))
  .flatMap((screen) => {
    const { path } = screen;
    const heading = screen.shownIn === undefined ? headings[path] : texts.get(screen.title);
    if (heading === undefined) throw new Error(`${path}: a test has to know its heading`);
    const address = path.replaceAll(/\$(\w+)/g, (placeholder, name: string) => demo[name] ?? placeholder);
    return (views[path] ?? ['']).map((view) => [address + view, heading] as const);
  });
