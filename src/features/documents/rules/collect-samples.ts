// Sorts the samples of a document's states and settings by time.

import type { SampleColumn, DocumentSamples } from './document-table.ts';

type SampledValue = { readonly at: number; readonly value: string | null };
type CollectSamplesInput = {
  readonly columns: readonly SampleColumn[];
  readonly fromMs2000: number;
  /** JSON texts of `[series, time, value]`. */
  readonly packedStates: readonly string[];
  /** The name of each series. */
  readonly seriesNames: ReadonlyMap<number, string>;
  /** The last of several writes at one instant counts. */
  readonly settings: readonly (SampledValue & { readonly name: string })[];
};

// More than the limit of samples. The number of a sample is part of its key.
const maxNumber = 2 ** 17;

export function collectSamples(input: CollectSamplesInput): DocumentSamples {
  const unordered = listSamples(input);
  const { ms2000: times } = unordered;
  // Numbers are sorted several times faster than objects: each key holds the time and the number of a sample.
  const keys = Float64Array.from(
    times,
    (ms2000, number) => (ms2000 - input.fromMs2000) * maxNumber + number,
  ).toSorted();
  const order = Array.from(keys, (key) => key % maxNumber);
  const inOrder = <T>(values: readonly T[]): T[] => order.map((number) => values[number] as T);
  return { ms2000: inOrder(times), columns: inOrder(unordered.columns), texts: inOrder(unordered.texts) };
}

function listSamples({ columns, packedStates, seriesNames, settings }: CollectSamplesInput): DocumentSamples {
  const indexByName = new Map(columns.map(({ name }, index) => [name, index]));
  const indexBySeries = new Map([...seriesNames].map(([series, name]) => [series, indexByName.get(name) ?? 0]));
  const ms2000: number[] = [];
  const columnIndexes: number[] = [];
  const texts: (string | null)[] = [];
  const add = (column: number, at: number, value: string | null): void => {
    ms2000.push(at);
    columnIndexes.push(column);
    texts.push(value);
  };
  const lastWrites = new Map(settings.map((setting) => [`${setting.at} ${setting.name}`, setting]));
  for (const { name, at, value } of lastWrites.values()) add(indexByName.get(name) ?? 0, at, value);
  // Parsed together, which takes half the time.
  const states = JSON.parse(`[${packedStates.join()}]`) as [series: number, at: number, value: string | null][];
  for (const [series, at, value] of states) add(indexBySeries.get(series) ?? 0, at, value);
  return { ms2000, columns: columnIndexes, texts };
}
