// Ratios: two targets driven in turns in one run, and the median of the ratios of the rounds.

import { runLoad, type LoadResult, type LoadTarget } from './processes.ts';

/** How often things are compared. */
export const rounds = 5;
const seconds = 2;
const longestSeconds = 60;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export type Comparison = { readonly ratio: number; readonly subject: number; readonly base: number };

/** `ratio` is requests per second of the subject over those of the base. `before` is done ahead of every round. */
export async function compareTargets(
  subject: LoadTarget,
  base: LoadTarget,
  connections = 32,
  before: () => Promise<unknown> = async () => {},
): Promise<Comparison> {
  await runLoad(subject, connections, 1);
  await runLoad(base, connections, 1);
  const pairs: [LoadResult, LoadResult][] = [];
  for (let round = 0; round < rounds; round += 1) {
    await before();
    // Turn about, so that neither always meets the machine as the other left it.
    if (round % 2 === 0)
      pairs.push([await runLoad(subject, connections, seconds), await runLoad(base, connections, seconds)]);
    else {
      const second = await runLoad(base, connections, seconds);
      pairs.push([await runLoad(subject, connections, seconds), second]);
    }
  }
  return comparisonOf(pairs);
}

/**
 * The base over the subject, which is asked in each round for `most` things that it was never asked for before; the base
 * is asked as often, so that what a short round spends on beginning weighs the same on both.
 */
export async function compareFirstRequests(
  subjectOf: (round: number) => LoadTarget,
  base: LoadTarget,
  { connections, most }: { readonly connections: number; readonly most: number },
): Promise<Comparison> {
  await runLoad(base, connections, 1);
  const once = (target: LoadTarget): Promise<LoadResult> => runLoad(target, connections, longestSeconds, { most });
  const pairs: [LoadResult, LoadResult][] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push([await once(base), await once(subjectOf(round))]);
  return comparisonOf(pairs);
}

const comparisonOf = (pairs: readonly (readonly [LoadResult, LoadResult])[]): Comparison => ({
  ratio: median(pairs.map(([a, b]) => a.perSecond / b.perSecond)),
  subject: median(pairs.map(([a]) => a.perSecond)),
  base: median(pairs.map(([, b]) => b.perSecond)),
});

const formatNumber = (value: number): string => value.toLocaleString('en-GB', { maximumSignificantDigits: 4 });

/** Prints a figure and its ratio; `bound` says what the ratio must keep to. */
export function reportComparison(
  name: string,
  { ratio, subject, base }: Comparison,
  bound: { least?: number; most?: number },
): void {
  const kept = ratio >= (bound.least ?? 0) && ratio <= (bound.most ?? Number.POSITIVE_INFINITY);
  const wanted = bound.least === undefined ? `at most ${bound.most}` : `at least ${bound.least}`;
  process.stdout.write(
    `${kept ? 'ok  ' : 'MISS'} ${name}: ${formatNumber(subject)} against ${formatNumber(base)}, ratio ${ratio.toFixed(3)} (${wanted})\n`,
  );
  if (!kept) process.exitCode = 1;
}

/** Prints a figure that stands by itself. */
export function reportFigure(name: string, figure: number, { least, most }: { least?: number; most?: number }): void {
  const kept = figure >= (least ?? -Infinity) && figure <= (most ?? Infinity);
  const wanted = least === undefined ? `at most ${most}` : `at least ${least}`;
  process.stdout.write(`${kept ? 'ok  ' : 'MISS'} ${name}: ${formatNumber(figure)} (${wanted})\n`);
  if (!kept) process.exitCode = 1;
}
