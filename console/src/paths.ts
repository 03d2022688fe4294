// The addresses of the screens, below /console.

export const bankPath = (bankKid: string, part = ''): string => `/banks/${bankKid}${part === '' ? '' : `/${part}`}`;
export const locationPath = (locationKid: string): string => `/locations/${locationKid}`;
export const unitPath = (unitKid: string): string => `/units/${unitKid}`;
export const residentPath = (bankKid: string, userKid: string): string => `/banks/${bankKid}/residents/${userKid}`;
export const settlementPath = (bankKid: string, period: number): string => `/banks/${bankKid}/settlements/${period}`;
export const documentPath = (documentKid: string): string => `/documents/${documentKid}`;
export const managerPath = (managerKid: string): string => `/managers/${managerKid}`;
export const installerPath = (installerKid: string): string => `/installers/${installerKid}`;
export const servicePath = (serviceKid: string): string => `/services/${serviceKid}`;

/** An address of the console to go on to after a login; the home screen for anything else. */
export const safeNext = (next: unknown): string =>
  typeof next === 'string' && /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/';
