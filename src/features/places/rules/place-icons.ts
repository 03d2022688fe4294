// The icon KIDs of banks and locations. Their setting is the name of an icon; without one, or where there is no such
// icon, each has one of its own. A house bears its location's number.

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
