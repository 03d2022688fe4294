// The outbox towards the devices has every record that it was given, each about a posting of a reversal that is in the
// ledger, at the place that the record names.

import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { subjectKinds, syncStates, type SubjectKind } from '../../device-sync/rules/sync-state.ts';
import type { LedgerCheck } from './ledger-check.ts';

type DeviceSyncRow = Tables['device_sync'];
type SubjectPosting = Pick<Tables['postings'], 'posting_id' | 'location_id' | 'unit_id' | 'reversal_of'>;

const batchRows = 500;
const isOneOf = (all: readonly string[], value: string): boolean => all.includes(value);

export const deviceSyncCheck: LedgerCheck = ({ db, bankId, report }) => {
  const reportRecord = (syncId: number, stored: string | undefined, computed: string | undefined): void =>
    report({ kind: 'device record', key: `record ${syncId}`, stored, computed });
  const compare = (row: DeviceSyncRow, posting: SubjectPosting | undefined): void => {
    const { sync_id, subject_kind, subject_id, state } = row;
    const stored = `of ${subject_kind} ${subject_id}`;
    if (!isOneOf(syncStates, state)) reportRecord(sync_id, state, syncStates.join(' or '));
    if (!isOneOf(subjectKinds, subject_kind)) reportRecord(sync_id, stored, `of a ${subjectKinds.join(' or ')}`);
    // What it tells of settings and bookings is not in the ledger.
    else if (subject_kind !== ('posting' satisfies SubjectKind)) return;
    else if (posting === undefined) reportRecord(sync_id, stored, undefined);
    else if (posting.reversal_of === null) reportRecord(sync_id, stored, 'of a reversal');
    else if (formatUnitLocation(row) !== formatUnitLocation(posting))
      reportRecord(sync_id, formatUnitLocation(row), formatUnitLocation(posting));
  };
  return {
    end: async () => {
      const head = await db
        .selectFrom('device_sync_heads')
        .select('queued')
        .where('bank_id', '=', bankId)
        .executeTakeFirst();
      const queued = head?.queued ?? 0;
      let expected = 1;
      for await (const rows of streamDeviceSyncs(db, bankId)) {
        const subjects = await findSubjectPostings(db, bankId, rows);
        for (const row of rows) {
          if (row.sync_id > queued || row.sync_id < 1) reportRecord(row.sync_id, 'a record', `ids from 1 to ${queued}`);
          else if (row.sync_id > expected) reportRecord(expected, undefined, 'a record');
          expected = row.sync_id + 1;
          compare(row, subjects.get(row.subject_id));
        }
      }
      if (expected <= queued) reportRecord(expected, undefined, 'a record');
      return { 'device records': queued };
    },
  };
};

const formatUnitLocation = ({ location_id, unit_id }: Pick<SubjectPosting, 'location_id' | 'unit_id'>): string =>
  `location ${location_id}, unit ${unit_id}`;

async function findSubjectPostings(
  db: Db,
  bankId: number,
  rows: readonly DeviceSyncRow[],
): Promise<Map<number, SubjectPosting>> {
  const postings = await db
    .selectFrom('postings')
    .select(['posting_id', 'location_id', 'unit_id', 'reversal_of'])
    .where('bank_id', '=', bankId)
    .where(
      'posting_id',
      'in',
      rows.map(({ subject_id }) => subject_id),
    )
    .execute();
  return new Map(postings.map((posting) => [posting.posting_id, posting]));
}

async function* streamDeviceSyncs(db: Db, bankId: number): AsyncGenerator<DeviceSyncRow[]> {
  const query = db
    .selectFrom('device_sync')
    .selectAll()
    .where('bank_id', '=', bankId)
    .orderBy('sync_id')
    .limit(batchRows);
  let after: number | undefined;
  for (;;) {
    const rows = await (after === undefined ? query : query.where('sync_id', '>', after)).execute();
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.sync_id;
  }
}
