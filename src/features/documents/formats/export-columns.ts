// Creates the first row of the downloads: the times and the names of the columns, the same in every language.

import type { SampleTable } from '../rules/document-table.ts';

export const exportColumnNames = ({ columns }: SampleTable): string[] => [
  'ms2000',
  'utc',
  ...columns.map(({ name }) => name),
];
