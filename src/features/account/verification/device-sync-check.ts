// Checks the records queued for devices: none is missing, and each one about a posting belongs to a reversal of the ledger
// at the same location and unit.

import { subjectKinds, syncStates, type SubjectKind } from '../../outbox/rules/sync-state.ts';
import type { Tables } from '../../../database/tables.ts';
import { countQueuedDeviceSyncs, listPostingsByIds, streamDeviceSyncs } from '../queries/ledger-verification.ts';
import type { LedgerCheck, LedgerDifference, StoredPosting } from './ledger-check.ts';

type DeviceSyncRow = Tables['device_sync'];

export const deviceSyncCheck: LedgerCheck = ({ db, bank }) => {
  let queued = 0;
  return {
    async *finish() {
      queued = await countQueuedDeviceSyncs(db, bank);
      let expected = 1;
      for await (const rows of streamDeviceSyncs(db, bank)) {
        const ids = rows.map(({ subject_id }) => subject_id);
        const postings = new Map((await listPostingsByIds(db, bank, ids)).map((row) => [row.posting_id, row]));
        for (const row of rows) {
          if (row.sync_id > queued || row.sync_id < 1)
            yield toDifference(row.sync_id, 'a record', `ids from 1 to ${queued}`);
          else if (row.sync_id > expected) yield toDifference(expected, undefined, 'a record');
          expected = row.sync_id + 1;
          yield* checkRecord(row, postings.get(row.subject_id));
        }
      }
      if (expected <= queued) yield toDifference(expected, undefined, 'a record');
    },
    counts: () => ({ 'device records': queued }),
  };
};

function* checkRecord(row: DeviceSyncRow, posting: StoredPosting | undefined): Generator<LedgerDifference> {
  const { sync_id, subject_kind, subject_id, state } = row;
  const subject = `of ${subject_kind} ${subject_id}`;
  if (!isOneOf(syncStates, state)) yield toDifference(sync_id, state, syncStates.join(' or '));
  if (!isOneOf(subjectKinds, subject_kind)) yield toDifference(sync_id, subject, `of a ${subjectKinds.join(' or ')}`);
  // Settings, bookings and addresses are not in the ledger.
  else if (subject_kind !== ('posting' satisfies SubjectKind)) return;
  else if (posting === undefined) yield toDifference(sync_id, subject, undefined);
  else if (posting.reversal_of === null) yield toDifference(sync_id, subject, 'of a reversal');
  else if (formatUnit(row) !== formatUnit(posting)) yield toDifference(sync_id, formatUnit(row), formatUnit(posting));
}

const isOneOf = (values: readonly string[], value: string): boolean => values.includes(value);

const formatUnit = ({ location_id, unit_id }: Pick<DeviceSyncRow, 'location_id' | 'unit_id'>): string =>
  `location ${location_id}, unit ${unit_id}`;

const toDifference = (syncId: number, stored: string | undefined, computed: string | undefined): LedgerDifference => ({
  kind: 'device record',
  key: `record ${syncId}`,
  stored,
  computed,
});
