// Decides which icons a service can have, and which are shown.

import { icons, isIcon } from '../../icons/icon-catalogue.ts';
import { formatPlainIconKid } from '../../icons/rules/current-icon-kid.ts';

/** The icon without a number of its own. */
const noIcon = 'none';

/** Every icon that can be chosen, in the order of their numbers, which are positive. */
export const selectableIcons: readonly string[] = icons.flatMap(({ name, retired }, number) =>
  number > 0 && retired !== true ? [name] : [],
);

const selectable: ReadonlySet<string> = new Set(selectableIcons);

export const isSelectableIcon = (name: string): boolean => selectable.has(name);

/** The names of icons are of this form, so that none can be mistaken for anything else. */
const isSafe = (name: string): boolean => /^[a-z][a-z0-9_]{0,63}$/.test(name);

/** Those that can be chosen; and the present one, for display alone, where it cannot be chosen any more. */
export function listAvailableIcons(current: string): readonly string[] {
  const isLegacy = current !== noIcon && isSafe(current) && !isSelectableIcon(current);
  return isLegacy ? [...selectableIcons, current] : selectableIcons;
}

export type ShownIcon = { readonly iconKid: string; readonly iconName: string };

/** A name that no icon ever had is shown without a drawing. */
export function showIcon(current: string, dayOfMonth: number): ShownIcon {
  const iconName = isSafe(current) ? current : noIcon;
  return { iconKid: isIcon(iconName) ? formatPlainIconKid(iconName, dayOfMonth) : noIcon, iconName };
}
