// Decides which icons a service can have, and which are shown.

import { icons, isIcon } from '../../icons/assets/icon-catalogue.ts';
import { formatPlainIconKid } from '../../icons/rules/current-icon-kid.ts';

/** The icon without a number of its own. */
const noIcon = 'none';

/** Every icon that can be chosen, in the order of their numbers, which are positive. */
const selectableIcons: readonly string[] = icons.flatMap(({ name, retired }, number) =>
  number > 0 && retired !== true ? [name] : [],
);

const selectable: ReadonlySet<string> = new Set(selectableIcons);

export const isSelectableIcon = (name: string): boolean => selectable.has(name);

/** All names of icons have this form, and no other text is shown as a name. */
const isSafe = (name: string): boolean => /^[a-z][a-z0-9_]{0,63}$/.test(name);

/** The icons that can be chosen. A present icon that can no longer be chosen is included only for display. */
export function listAvailableIcons(current: string): readonly string[] {
  const isLegacy = current !== noIcon && isSafe(current) && !isSelectableIcon(current);
  return isLegacy ? [...selectableIcons, current] : selectableIcons;
}

type ShownIcon = { readonly iconKid: string; readonly iconName: string };

/** A name that no icon ever had is shown without a drawing. */
export function showIcon(current: string, dayOfMonth: number): ShownIcon {
  const iconName = isSafe(current) ? current : noIcon;
  return { iconKid: isIcon(iconName) ? formatPlainIconKid(iconName, dayOfMonth) : noIcon, iconName };
}
