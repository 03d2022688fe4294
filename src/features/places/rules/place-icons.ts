// Chooses the icon KIDs of banks and locations. A stored name that is missing or unknown gives the default icon; the
// default icon of a location shows the location's number.

import { formatIconKid } from '../../../lib/icon-kid.ts';
import { isIcon } from '../../icons/icon-catalogue.ts';

const defaultBankIcon = 'bank_building';
const defaultLocationIcon = 'house';

export const bankIconKid = (icon: string | null): string => (icon !== null && isIcon(icon) ? icon : defaultBankIcon);

export function locationIconKid(icon: string | null, locationId: number): string {
  const name = icon !== null && isIcon(icon) ? icon : defaultLocationIcon;
  if (name !== defaultLocationIcon) return name;
  return formatIconKid({ icons: [name], count: 0n, color: 0, text: String(locationId) }) ?? name;
}
