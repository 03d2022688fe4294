// Defines the demo managers: the same seven in every tenant, each with a different kind of access.

import type { InsertManagerInput } from '../src/features/managers/queries/insert-managers.ts';
import type { PasswordHasher } from '../src/features/passwords/process/password-hasher.ts';
import { demoPassword } from '../src/features/passwords/rules/password.ts';
import { permissions, tabs, type Permission } from '../src/permissions/matrix.ts';
import type { Tenant } from '../src/tenants.ts';

type DemoManagerProfile = Pick<
  InsertManagerInput,
  'userName' | 'name' | 'tabs' | 'permissions' | 'grants' | 'active' | 'retentionDays'
>;

const readPermissions = permissions.filter((permission) => permission.endsWith('.Read'));
const bankReadWritePermissions: readonly Permission[] = ['Bank', 'Location', 'Unit', 'User'].flatMap((area) => [
  `${area}.Read` as Permission,
  `${area}.Write` as Permission,
]);

const fullAccess: Omit<DemoManagerProfile, 'userName' | 'name'> = {
  tabs,
  permissions,
  grants: [{ bankId: 0, locationId: 0 }],
  active: true,
  retentionDays: null,
};

const profiles: readonly DemoManagerProfile[] = [
  { ...fullAccess, userName: 'owner', name: 'Owner' },
  { ...fullAccess, userName: 'reader', name: 'Reader', permissions: readPermissions },
  {
    ...fullAccess,
    userName: 'bank',
    name: 'Bank manager',
    permissions: [...bankReadWritePermissions, 'User.Create'],
    grants: [{ bankId: 1001, locationId: 0 }],
  },
  {
    ...fullAccess,
    userName: 'location',
    name: 'Location manager',
    permissions: ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read', 'Unit.Write'],
    grants: [{ bankId: 1001, locationId: 1 }],
    retentionDays: 90,
  },
  { ...fullAccess, userName: 'clerk', name: 'Clerk', permissions: ['Bank.Read', 'Location.Read'] },
  { ...fullAccess, userName: 'notabs', name: 'Manager without Tabs', tabs: [] },
  { ...fullAccess, userName: 'inactive', name: 'Former manager', active: false },
];

// On island, `owner` is the only active manager with tenant-wide access.
const inactiveOnIsland = new Set(['reader', 'clerk', 'notabs']);

const firstManagerId = 1001;

/** The id that the demo manager of this user name has in every tenant. */
export function getDemoManagerId(userName: string): number {
  const index = profiles.findIndex((profile) => profile.userName === userName);
  if (index < 0) throw new Error(`no demo manager is called ${userName}`);
  return firstManagerId + index;
}

export function createDemoManagers(tenant: Tenant, passwordHash: string): InsertManagerInput[] {
  return profiles.map((profile, index) => ({
    ...profile,
    managerId: firstManagerId + index,
    name: `${profile.name} of ${tenant.displayName}`,
    email: `${profile.userName}@example.org`,
    organisation: 'Housing association Alder',
    personIcon: 'person',
    passwordHash,
    credentialStamp: `demo-${profile.userName}`,
    active: profile.active && !(tenant.name === 'island' && inactiveOnIsland.has(profile.userName)),
  }));
}

// Everybody knows the password, so a different salt for each manager would protect nothing.
const salt = Buffer.from('demo data, 16 by');

// Caches a pure function: hashing is slow, and the same password and salt give the same hash.
const hashByPasswords = new WeakMap<PasswordHasher, Promise<string>>();

export function hashDemoPassword(passwords: PasswordHasher): Promise<string> {
  const known = hashByPasswords.get(passwords) ?? passwords.hash(demoPassword, { salt });
  hashByPasswords.set(passwords, known);
  return known;
}
