// Formats the icon KIDs that the service creates. A calendar shows today's day of the month, so its KID has it as the
// text.

import { formatIconKid, type IconKid } from '../../../lib/icon-kid.ts';

const calendar = 'calendar';

export const isCalendar = (iconName: string): boolean => iconName === calendar;

/** Undefined if it cannot be formatted. The text of a KID belongs to its main icon. */
export function formatCurrentIconKid(icon: IconKid, dayOfMonth: number): string | undefined {
  const [main] = icon.icons;
  return formatIconKid(main === calendar ? { ...icon, text: String(dayOfMonth) } : icon);
}

/** An icon without text, count and colour. */
export function formatPlainIconKid(iconName: string, dayOfMonth: number): string {
  if (!isCalendar(iconName)) return iconName;
  return formatCurrentIconKid({ icons: [iconName], count: 0n, color: 0, text: '' }, dayOfMonth) ?? iconName;
}
