// Dates as a profile spells them: `dd-MM-yyyy`, `yyyyMMdd`, `ddMMyy`. Ours are `yyyy-MM-dd`.

export type DateFormat = {
  /** Undefined for a text that is no such date, or a day that no calendar has. */
  parse(text: string): string | undefined;
  /** Undefined for a date that the pattern cannot spell. */
  format(date: string): string | undefined;
};

const token = /yyyy|yy|MM|dd/g;

/** Two digits are a year of this century: what is imported now was written in it. */
const century = '20';

/** Undefined if the pattern lacks a part of the date, or has one twice. */
export function createDateFormat(pattern: string): DateFormat | undefined {
  const tokens: readonly string[] = pattern.match(token) ?? [];
  const kinds = tokens.map((each) => each.charAt(0)).toSorted();
  if (kinds.join('') !== 'Mdy') return undefined;
  const literals = pattern.split(token);
  if (literals.some((literal) => /[A-Za-z0-9]/.test(literal))) return undefined;
  const [before = '', ...after] = literals.map((literal) => RegExp.escape(literal));
  const shape = new RegExp(
    `^${before}${tokens.map((each, index) => `(?<${each.charAt(0)}>\\d{${each.length}})${after[index] ?? ''}`).join('')}$`,
  );
  const hasCentury = tokens.includes('yyyy');
  return {
    parse(text) {
      const { y = '', M = '', d = '' } = shape.exec(text)?.groups ?? {};
      if (y === '') return undefined;
      return toCalendarDate(`${hasCentury ? '' : century}${y}-${M}-${d}`);
    },
    format(date) {
      if (toCalendarDate(date) === undefined || !(hasCentury || date.startsWith(century))) return undefined;
      const parts: Readonly<Record<string, string>> = {
        yyyy: date.slice(0, 4),
        yy: date.slice(2, 4),
        MM: date.slice(5, 7),
        dd: date.slice(8),
      };
      return pattern.replaceAll(token, (each) => parts[each] ?? '');
    },
  };
}

const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Undefined where the calendar has no such day. */
function toCalendarDate(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && !isLeapYear ? 28 : daysOfMonths[month - 1];
  return days !== undefined && day >= 1 && day <= days ? text : undefined;
}
