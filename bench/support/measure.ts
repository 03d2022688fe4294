// Computes ratios: drives two targets alternately in one run, and takes the median of the ratios of the rounds.

import { runLoad, type LoadResult, type LoadTarget } from './processes.ts';

/** The number of rounds. */
export const rounds = 5;
const seconds = 2;
const longestSeconds = 60;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export type Comparison = { readonly ratio: number; readonly subject: number; readonly base: number };

/** `ratio` is requests per second of the subject over those of the base. `before` runs before every round. */
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
    // The order alternates, so that neither always runs right after the other.
    if (round % 2 === 0)
      pairs.push([await runLoad(subject, connections, seconds), await runLoad(base, connections, seconds)]);
    else {
      const second = await runLoad(base, connections, seconds);
      pairs.push([await runLoad(subject, connections, seconds), second]);
    }
  }
  return comparisonOf(pairs);
}

export type MeasuredServer = { readonly target: LoadTarget; processorSeconds(): number };

/** Compares requests for each second of processor time, which other load on the machine changes less than the rate. */
export async function compareProcessorTime(
  subject: MeasuredServer,
  base: MeasuredServer,
  requests: number,
): Promise<Comparison> {
  const measure = async ({ target, processorSeconds }: MeasuredServer): Promise<LoadRate> => {
    const before = processorSeconds();
    await runLoad(target, 32, longestSeconds, { most: requests });
    return { perSecond: requests / (processorSeconds() - before) };
  };
  await measure(subject);
  await measure(base);
  const pairs: [LoadRate, LoadRate][] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push([await measure(subject), await measure(base)]);
  return comparisonOf(pairs);
}

/**
 * The base over the subject, to which each round sends `most` requests that it has never had before; the base gets as
 * many, so that the start of a short round costs both the same.
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

type WorkSize = {
  /** What one call does, in the unit of the rate. */
  readonly each: number;
  /** The calls of a round. */
  readonly times: number;
};

/** Compares the rates of two works of this process, which run in turns. */
export async function compareRates(
  subject: () => Promise<unknown>,
  base: () => Promise<unknown>,
  size: WorkSize,
): Promise<Comparison> {
  await measureRate(subject, size);
  await measureRate(base, size);
  const pairs: [LoadRate, LoadRate][] = [];
  for (let round = 0; round < rounds; round += 1)
    pairs.push([await measureRate(subject, size), await measureRate(base, size)]);
  return comparisonOf(pairs);
}

async function measureRate(work: () => Promise<unknown>, { each, times }: WorkSize): Promise<LoadRate> {
  const began = performance.now();
  for (let time = 0; time < times; time += 1) await work();
  return { perSecond: (each * times * 1000) / (performance.now() - began) };
}

type LoadRate = Pick<LoadResult, 'perSecond'>;

const comparisonOf = (pairs: readonly (readonly [LoadRate, LoadRate])[]): Comparison => ({
  ratio: median(pairs.map(([a, b]) => a.perSecond / b.perSecond)),
  subject: median(pairs.map(([a]) => a.perSecond)),
  base: median(pairs.map(([, b]) => b.perSecond)),
});

const formatNumber = (value: number): string => value.toLocaleString('en-GB', { maximumSignificantDigits: 4 });

/** Prints a figure and its ratio; `bound` is the limit of the ratio. */
export function reportComparison(
  name: string,
  { ratio, subject, base }: Comparison,
  bound: { least?: number; most?: number },
): void {
  const kept = ratio >= (bound.least ?? 0) && ratio <= (bound.most ?? Number.POSITIVE_INFINITY);
  const wanted = bound.least === undefined ? `at most ${bound.most}` : `at least ${formatNumber(bound.least)}`;
  process.stdout.write(
    `${kept ? 'ok  ' : 'MISS'} ${name}: ${formatNumber(subject)} against ${formatNumber(base)}, ratio ${ratio.toFixed(3)} (${wanted})\n`,
  );
  if (!kept) process.exitCode = 1;
}

/** Prints a figure without a ratio. */
export function reportFigure(name: string, figure: number, { least, most }: { least?: number; most?: number }): void {
  const kept = figure >= (least ?? -Infinity) && figure <= (most ?? Infinity);
  const wanted = least === undefined ? `at most ${most}` : `at least ${least}`;
  process.stdout.write(`${kept ? 'ok  ' : 'MISS'} ${name}: ${formatNumber(figure)} (${wanted})\n`);
  if (!kept) process.exitCode = 1;
}
