// Chooses the icon KIDs of banks and locations. A stored name that is missing or unknown gives the default icon; the
// default icon of a location shows the location's number.

import { formatIconKid } from '../../../lib/icon-kid.ts';
import { isIcon } from '../../icons/assets/icon-catalogue.ts';
import { formatPlainIconKid } from '../../icons/rules/current-icon-kid.ts';

const defaultBankIcon = 'bank_building';
const defaultLocationIcon = 'house';

export const bankIconKid = (icon: string | null, dayOfMonth: number): string =>
  icon !== null && isIcon(icon) ? formatPlainIconKid(icon, dayOfMonth) : defaultBankIcon;

export function locationIconKid(icon: string | null, locationId: number, dayOfMonth: number): string {
  const name = icon !== null && isIcon(icon) ? icon : defaultLocationIcon;
  if (name !== defaultLocationIcon) return formatPlainIconKid(name, dayOfMonth);
  return formatIconKid({ icons: [name], count: 0n, color: 0, text: String(locationId) }) ?? name;
}
