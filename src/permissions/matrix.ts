// The permission matrix as data: areas, flags and Tabs. A permission is an area and a flag, such as `Bank.Read`.

export const areas = ['Bank', 'Location', 'Unit', 'User', 'Installer', 'Managers', 'Service'] as const;
export type Area = (typeof areas)[number];

export const flags = ['Read', 'Write', 'Create'] as const;
export type Flag = (typeof flags)[number];

export type Permission = `${Area}.${Flag}`;

export const permissions: readonly Permission[] = areas.flatMap((area) =>
  flags.map((flag): Permission => `${area}.${flag}`),
);

/** Every Tab that can be assigned. Some belong to pages of the portal and are not needed by any operation here. */
export const tabs = [
  'Account2',
  'Bookings1',
  'Dashboard1',
  'Hosting1',
  'Installers1',
  'Logs1',
  'Managers1',
  'Reports1',
  'Services1',
  'TenantStatus1',
  'Units1',
  'Users2',
  'WashDoc1',
  'WashDoc2',
  'WashDoc3',
] as const;
export type Tab = (typeof tabs)[number];

/** For operations that need any one Tab. */
export const anyTab: readonly Tab[] = tabs;

export function isPermission(text: string): text is Permission {
  return (permissions as readonly string[]).includes(text);
}

export function isTab(text: string): text is Tab {
  return (tabs as readonly string[]).includes(text);
}

/** In the order of the matrix. */
export const listPermissions = (granted: ReadonlySet<Permission>): Permission[] =>
  permissions.filter((each) => granted.has(each));

/** The granted flags of every area, as clients see them. */
export function groupByArea(granted: ReadonlySet<Permission>): Record<Area, Flag[]> {
  const rows = areas.map((area): [Area, Flag[]] => [area, flags.filter((flag) => granted.has(`${area}.${flag}`))]);
  return Object.fromEntries(rows) as Record<Area, Flag[]>;
}
