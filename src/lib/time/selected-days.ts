// Parses the time zone and the two inclusive days of a query, as all operations do that select by local days.

import { createFieldProblem, createFieldsProblem } from '../values/field-problem.ts';
import { countDays, parseCivilDate, resolveTimeZone, todayIn } from './time-zone.ts';

const maxSelectedDays = 367;

/** The text of a query parameter, and its name in problems. */
type NamedText = { readonly name: string; readonly text: string | undefined };

/** Calendar days, both included. */
type SelectedDays = { readonly from: Temporal.PlainDate; readonly through: Temporal.PlainDate };

/** IANA id of the zone. `territory`: as in {@link resolveTimeZone}. Throws `invalid-request`. */
export function parseTimeZone({ name, text }: NamedText & { readonly text: string }, territory: string): string {
  const timeZone = resolveTimeZone(text, territory);
  if (timeZone === undefined) throw createFieldProblem(`query.${name}`, 'must be an IANA or Windows time zone');
  return timeZone;
}

/** A day that is not given is today (`now` is MS2000). Throws `invalid-request`, which names every text that is no day. */
export function parseSelectedDays(
  { from, through }: { readonly from: NamedText; readonly through: NamedText },
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
): SelectedDays {
  const parseDate = ({ text }: NamedText): Temporal.PlainDate | undefined =>
    text === undefined ? todayIn(timeZone, now) : parseCivilDate(text);
  const [fromDay, throughDay] = [parseDate(from), parseDate(through)];
  if (fromDay === undefined || throughDay === undefined) {
    const wrong = [...(fromDay === undefined ? [from] : []), ...(throughDay === undefined ? [through] : [])];
    throw createFieldsProblem(
      wrong.map(({ name }) => ({ path: `query.${name}`, message: 'must be a date, YYYY-MM-DD' })),
      'invalid-request',
    );
  }
  const days = { from: fromDay, through: throughDay };
  const count = countDays(days.from, days.through);
  // The problem is about a parameter that was sent.
  const [sent, other] = through.text === undefined ? [from, through] : [through, from];
  const otherDay = other.text === undefined ? `${other.name} (today by default)` : other.name;
  if (count < 1)
    throw createFieldProblem(`query.${sent.name}`, `must not be ${sent === from ? 'after' : 'before'} ${otherDay}`);
  if (count > maxSelectedDays)
    throw createFieldProblem(
      `query.${sent.name}`,
      `must be at most ${maxSelectedDays} days from ${otherDay}, both included`,
    );
  return days;
}
