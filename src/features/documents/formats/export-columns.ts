// Creates the first row of the downloads: the times and the names of the columns, the same in every language.

import type { SampleTable } from '../rules/document-table.ts';

/** `otherTimes` come after UTC. */
export const exportColumnNames = ({ columns }: SampleTable, otherTimes: readonly string[] = []): string[] => [
  'ms2000',
  'utc',
  ...otherTimes,
  ...columns.map(({ name }) => name),
];
