// The addresses of the screens, below /console.

import { bankKidOf, type FoundKid } from './kid.ts';
import { screenOfKid } from './screens.ts';

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

/** The address of the screen that has an object; undefined where its KID does not tell. */
export const pathOfKid = (found: FoundKid): string | undefined =>
  screenOfKid(found)?.path.replaceAll(/\$(\w+)/g, (_, name) => (name === 'bankKid' ? bankKidOf(found.kid) : found.kid));

/** An address of the console to go on to after a login; the home screen for anything else. */
export const safeNext = (next: unknown): string =>
  typeof next === 'string' && /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/';
