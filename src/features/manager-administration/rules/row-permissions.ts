// Parses the permissions in a row of a list.

import { isPermission, type Permission } from '../../../permissions/matrix.ts';

/** Their names are separated by commas; null means none. */
export const permissionsOf = ({ permissions }: { readonly permissions: string | null }): ReadonlySet<Permission> =>
  new Set((permissions ?? '').split(',').filter(isPermission));
