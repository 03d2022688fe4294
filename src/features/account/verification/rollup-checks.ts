// Checks that the roll-ups are the sums of the postings.

import { streamResidentRollups, streamRollups } from '../queries/ledger-verification.ts';
import { computeResidentRollups, residentRollupUpsertColumns } from '../rules/resident-rollups.ts';
import { computeRollups, rollupUpsertColumns } from '../rules/rollups.ts';
import { createStoredSumsCheck } from './stored-sums-check.ts';

export const rollupCheck = createStoredSumsCheck({
  rowName: 'roll-up',
  upsertColumns: rollupUpsertColumns,
  computeRows: computeRollups,
  streamStoredRows: streamRollups,
});

export const residentRollupCheck = createStoredSumsCheck({
  rowName: 'resident roll-up',
  upsertColumns: residentRollupUpsertColumns,
  computeRows: computeResidentRollups,
  streamStoredRows: streamResidentRollups,
});
