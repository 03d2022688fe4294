// Ratios: two targets driven in turns in one run, and the median of the ratios of the rounds.

import { load, type Load, type Target } from './processes.ts';

/** How often things are compared. */
export const rounds = 5;
const seconds = 2;
const longestSeconds = 60;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export type Comparison = { readonly ratio: number; readonly subject: number; readonly base: number };

/** `ratio` is requests per second of the subject over those of the base. `before` is done ahead of every round. */
export async function compare(
  subject: Target,
  base: Target,
  connections = 32,
  before: () => Promise<unknown> = async () => {},
): Promise<Comparison> {
  await load(subject, connections, 1);
  await load(base, connections, 1);
  const pairs: [Load, Load][] = [];
  for (let round = 0; round < rounds; round += 1) {
    await before();
    // Turn about, so that neither always meets the machine as the other left it.
    if (round % 2 === 0)
      pairs.push([await load(subject, connections, seconds), await load(base, connections, seconds)]);
    else {
      const second = await load(base, connections, seconds);
      pairs.push([await load(subject, connections, seconds), second]);
    }
  }
  return comparisonOf(pairs);
}

/**
 * The base over the subject, which is asked in each round for `most` things that it was never asked for before; the base
 * is asked as often, so that what a short round spends on beginning weighs the same on both.
 */
export async function compareOnce(
  subjectOf: (round: number) => Target,
  base: Target,
  { connections, most }: { readonly connections: number; readonly most: number },
): Promise<Comparison> {
  await load(base, connections, 1);
  const once = (target: Target): Promise<Load> => load(target, connections, longestSeconds, { most });
  const pairs: [Load, Load][] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push([await once(base), await once(subjectOf(round))]);
  return comparisonOf(pairs);
}

const comparisonOf = (pairs: readonly (readonly [Load, Load])[]): Comparison => ({
  ratio: median(pairs.map(([a, b]) => a.perSecond / b.perSecond)),
  subject: median(pairs.map(([a]) => a.perSecond)),
  base: median(pairs.map(([, b]) => b.perSecond)),
});

const number = (value: number): string => value.toLocaleString('en-GB', { maximumSignificantDigits: 4 });

/** Prints a figure and its ratio; `bound` says what the ratio must keep to. */
export function tell(
  name: string,
  { ratio, subject, base }: Comparison,
  bound: { least?: number; most?: number },
): void {
  const kept = ratio >= (bound.least ?? 0) && ratio <= (bound.most ?? Number.POSITIVE_INFINITY);
  const wanted = bound.least === undefined ? `at most ${bound.most}` : `at least ${bound.least}`;
  process.stdout.write(
    `${kept ? 'ok  ' : 'MISS'} ${name}: ${number(subject)} against ${number(base)}, ratio ${ratio.toFixed(3)} (${wanted})\n`,
  );
  if (!kept) process.exitCode = 1;
}

/** Prints a figure that stands by itself. */
export function tellFigure(name: string, figure: number, { least, most }: { least?: number; most?: number }): void {
  const kept = figure >= (least ?? -Infinity) && figure <= (most ?? Infinity);
  const wanted = least === undefined ? `at most ${most}` : `at least ${least}`;
  process.stdout.write(`${kept ? 'ok  ' : 'MISS'} ${name}: ${number(figure)} (${wanted})\n`);
  if (!kept) process.exitCode = 1;
}
