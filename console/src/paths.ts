// The addresses of the screens, below /console.

import { bankKidOf, type FoundKid, type KidType } from './kid.ts';

export const bankPath = (bankKid: string, part = ''): string => `/banks/${bankKid}${part === '' ? '' : `/${part}`}`;
export const locationPath = (locationKid: string): string => `/locations/${locationKid}`;
export const unitPath = (unitKid: string): string => `/units/${unitKid}`;
export const residentPath = (bankKid: string, userKid: string): string => `/banks/${bankKid}/residents/${userKid}`;
export const settlementPath = (bankKid: string, period: number): string => `/banks/${bankKid}/settlements/${period}`;
export const documentPath = (documentKid: string): string => `/documents/${documentKid}`;
export const managerPath = (managerKid: string): string => `/managers/${managerKid}`;
export const installerPath = (installerKid: string): string => `/installers/${installerKid}`;
export const servicePath = (serviceKid: string): string => `/services/${serviceKid}`;
export const computerPath = (computerKid: string): string => `/computers/${computerKid}`;
export const importPath = (importKid: string): string => `/imports/${importKid}`;
export const importProfilePath = (name: string): string => `/imports/profiles/${name}`;

/** A posting and a held line stand in a list. A booking has to be read first: its list is that of a day. */
const pathsOfKids: Readonly<Record<KidType, ((kid: string) => string) | undefined>> = {
  bank: (kid) => bankPath(kid),
  location: locationPath,
  unit: unitPath,
  document: documentPath,
  resident: (kid) => residentPath(bankKidOf(kid), kid),
  posting: (kid) => bankPath(bankKidOf(kid), 'account'),
  booking: undefined,
  computer: computerPath,
  heldLine: (kid) => bankPath(bankKidOf(kid), 'held-lines'),
  import: importPath,
  manager: managerPath,
  installer: installerPath,
  service: servicePath,
};

/** The screen that has an object; undefined where its KID does not tell. */
export const pathOfKid = ({ type, kid }: FoundKid): string | undefined => pathsOfKids[type]?.(kid);

/** An address of the console to go on to after a login; the home screen for anything else. */
export const safeNext = (next: unknown): string =>
  typeof next === 'string' && /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/';
