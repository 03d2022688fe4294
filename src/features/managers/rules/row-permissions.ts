// Reads the permissions out of a row of a list.

import { isPermission, type Permission } from '../../../permissions/matrix.ts';

/** Their names stand between commas; null is none. */
export const permissionsOf = ({ permissions }: { readonly permissions: string | null }): ReadonlySet<Permission> =>
  new Set((permissions ?? '').split(',').filter(isPermission));
