// The kinds of data that can be imported: their names, and the rights that each needs.

import type { CurrentManager, ImportKind, PermissionArea, PermissionFlag, Tab } from '../api/operations.ts';
import type { TextKey } from '../language/catalogue.ts';

type Permission = `${PermissionArea}.${PermissionFlag}`;

type Kind = {
  readonly text: TextKey;
  /** The data of the whole portal, and not of one housing association. */
  readonly isOfPortal?: true;
  /** Without one, any Tab will do. */
  readonly tab?: Tab;
  /** What an import needs. */
  readonly permissions: readonly Permission[];
  /** What an export needs. */
  readonly readPermissions: readonly Permission[];
  /** What a full file lacks can be disabled. */
  readonly isDeactivatable?: true;
};

const places: readonly Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read'];

/** In the order in which a portal is built up. */
export const importKinds: Readonly<Record<ImportKind, Kind>> = {
  banks: {
    text: 'nav.banks',
    isOfPortal: true,
    tab: 'Units1',
    permissions: ['Bank.Read', 'Bank.Write', 'Bank.Create'],
    readPermissions: ['Bank.Read'],
  },
  locations: {
    text: 'bank.locations',
    permissions: ['Bank.Read', 'Location.Read', 'Location.Write', 'Location.Create'],
    readPermissions: ['Bank.Read', 'Location.Read'],
  },
  units: {
    text: 'word.units',
    permissions: [...places, 'Unit.Write', 'Unit.Create'],
    readPermissions: places,
  },
  residents: {
    text: 'bank.residents',
    tab: 'Users2',
    permissions: ['Bank.Read', 'User.Read', 'User.Create', 'User.Write'],
    readPermissions: ['Bank.Read', 'User.Read'],
    isDeactivatable: true,
  },
  keys: {
    text: 'resident.keys',
    tab: 'Users2',
    permissions: ['Bank.Read', 'User.Read', 'User.Write'],
    readPermissions: ['Bank.Read', 'User.Read'],
  },
  settings: { text: 'unit.settings', permissions: [...places, 'Unit.Write'], readPermissions: places },
  'opening-exceptions': {
    text: 'hours.exceptions',
    permissions: [...places, 'Location.Write', 'Unit.Write'],
    readPermissions: places,
  },
  readings: { text: 'import.readings', permissions: [...places, 'Unit.Write'], readPermissions: places },
  postings: {
    text: 'account.postings',
    tab: 'Account2',
    permissions: ['Bank.Read', 'Bank.Write', 'Location.Read', 'Unit.Read', 'User.Read', 'User.Write'],
    readPermissions: [...places, 'User.Read'],
  },
  bookings: {
    text: 'bank.bookings',
    tab: 'Bookings1',
    permissions: [...places, 'User.Read', 'Unit.Write'],
    readPermissions: [...places, 'User.Read'],
  },
  installers: {
    text: 'nav.installers',
    isOfPortal: true,
    tab: 'Installers1',
    permissions: ['Installer.Read', 'Installer.Write', 'Installer.Create'],
    readPermissions: ['Installer.Read'],
    isDeactivatable: true,
  },
  managers: {
    text: 'nav.managers',
    isOfPortal: true,
    tab: 'Managers1',
    permissions: ['Managers.Read', 'Managers.Write', 'Managers.Create'],
    readPermissions: ['Managers.Read'],
    isDeactivatable: true,
  },
};

const kindNames = Object.keys(importKinds) as ImportKind[];

const holds = ({ permissions }: CurrentManager, permission: Permission): boolean => {
  const [area, flag] = permission.split('.') as [PermissionArea, PermissionFlag];
  return permissions[area].includes(flag);
};

function mayUse(manager: CurrentManager, name: ImportKind, needed: readonly Permission[]): boolean {
  const { tab, isOfPortal } = importKinds[name];
  const { access, tabs } = manager;
  return (
    (tab === undefined || tabs.includes(tab)) &&
    (access.tenantWide || (isOfPortal !== true && access.banks.some(({ bankWide }) => bankWide))) &&
    ['Bank.Read' as const, ...needed].every((permission) => holds(manager, permission))
  );
}

/** The kinds that the manager may import. */
export const listImportable = (manager: CurrentManager): ImportKind[] =>
  kindNames.filter((name) => mayUse(manager, name, importKinds[name].permissions));

/** The kinds that the manager may export. */
export const listExportable = (manager: CurrentManager): ImportKind[] =>
  kindNames.filter((name) => mayUse(manager, name, importKinds[name].readPermissions));

/** The name of a kind; the service may have kinds that are newer than the console. */
export const textOfKind = (name: string): TextKey | undefined =>
  (importKinds[name as ImportKind] as Kind | undefined)?.text;
