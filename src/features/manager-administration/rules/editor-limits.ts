// Decides what one manager may change of another's rights and activity, where several of them change at once.

import type { Rights } from '../../../permissions/needs.ts';
import { compareStates, type ManagerState } from './manager-state.ts';
import { findNotHeld, mayEdit } from './permission-changes.ts';

type RightsEditor = {
  readonly managerId: number;
  readonly rights: Rights;
  /** Whether nobody else who is active has the whole tenant. */
  readonly isSole: boolean;
};

type EditorRefusal = 'own-permissions' | 'not-held';

export type EditedRights = { readonly managerId: number; readonly before: ManagerState; readonly after: ManagerState };

/** The name of the right that the editor does not hold, if that is the reason. */
type Refused = { readonly reason: EditorRefusal; readonly right?: string };

/**
 * Nobody gives or takes what they do not hold, and nobody changes their own rights unless nobody else can. To activate a
 * manager is to give all that the manager has, and to deactivate one to take it.
 */
export function findEditorRefusal(
  { managerId: editorId, rights: held, isSole }: RightsEditor,
  { managerId, before, after }: EditedRights,
): Refused | undefined {
  const difference = compareStates(before, after);
  const { tabs, permissions, places } = difference;
  const isActivity = difference.isActive !== undefined;
  const isSame = [tabs, permissions, places].every(({ granted, withdrawn }) => granted.length + withdrawn.length === 0);
  if (isSame && !isActivity) return undefined;
  if (!mayEdit({ editorId, managerId, isSole })) return { reason: 'own-permissions' };
  if (editorId === managerId) return undefined;
  const touched = isActivity ? { granted: [...after.permissions], withdrawn: [...before.permissions] } : permissions;
  const touchedTabs = isActivity ? [...after.tabs, ...before.tabs] : [...tabs.granted, ...tabs.withdrawn];
  const right = findNotHeld(touched, held.permissions) ?? touchedTabs.find((tab) => !held.tabs.has(tab));
  if (right !== undefined) return { reason: 'not-held', right };
  // Only who has the whole tenant has all that can be granted.
  return held.grants.tenantWide ? undefined : { reason: 'not-held', right: 'a tenant-wide grant' };
}
