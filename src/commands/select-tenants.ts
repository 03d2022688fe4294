// Finds the tenants that a command works on.

import type { Config } from '../config.ts';
import type { Tenant } from '../tenants.ts';
import { CommandError } from './command-error.ts';

/** The tenants with these names, or all of them. */
export function selectTenants({ tenants }: Config, names: readonly string[] | undefined): readonly Tenant[] {
  return names === undefined ? tenants : names.map((name) => selectTenant(tenants, name));
}

export function selectTenant(tenants: readonly Tenant[], name: string): Tenant {
  const found = tenants.find((tenant) => tenant.name === name);
  if (found === undefined)
    throw new CommandError(`unknown tenant ${name}: expected one of ${tenants.map((each) => each.name).join(', ')}`);
  return found;
}
