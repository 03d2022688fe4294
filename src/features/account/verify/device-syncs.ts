// The outbox towards the devices has every record that it was given, each about a posting of a reversal that is in the
// ledger, at the place that the record names.

import type { Db } from '../../../database/dialect.ts';
import type { Tables } from '../../../database/tables.ts';
import { subjectKinds, syncStates, type SubjectKind } from '../../device-sync/rules.ts';
import type { LedgerCheck } from './check.ts';

type Sync = Tables['device_sync'];
type Subject = Pick<Tables['postings'], 'posting_id' | 'location_id' | 'unit_id' | 'reversal_of'>;

const atOnce = 500;
const isOneOf = (all: readonly string[], value: string): boolean => all.includes(value);

export const deviceSyncCheck: LedgerCheck = ({ db, bankId, tell }) => {
  const wrong = (syncId: number, stored: string | undefined, computed: string | undefined): void =>
    tell({ kind: 'device record', key: `record ${syncId}`, stored, computed });
  const compare = (row: Sync, posting: Subject | undefined): void => {
    const { sync_id, subject_kind, subject_id, state } = row;
    const stored = `of ${subject_kind} ${subject_id}`;
    if (!isOneOf(syncStates, state)) wrong(sync_id, state, syncStates.join(' or '));
    if (!isOneOf(subjectKinds, subject_kind)) wrong(sync_id, stored, `of a ${subjectKinds.join(' or ')}`);
    // What it tells of settings and bookings is not in the ledger.
    else if (subject_kind !== ('posting' satisfies SubjectKind)) return;
    else if (posting === undefined) wrong(sync_id, stored, undefined);
    else if (posting.reversal_of === null) wrong(sync_id, stored, 'of a reversal');
    else if (placeOf(row) !== placeOf(posting)) wrong(sync_id, placeOf(row), placeOf(posting));
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
      for await (const rows of batches(db, bankId)) {
        const subjects = await findSubjects(db, bankId, rows);
        for (const row of rows) {
          if (row.sync_id > queued || row.sync_id < 1) wrong(row.sync_id, 'a record', `ids from 1 to ${queued}`);
          else if (row.sync_id > expected) wrong(expected, undefined, 'a record');
          expected = row.sync_id + 1;
          compare(row, subjects.get(row.subject_id));
        }
      }
      if (expected <= queued) wrong(expected, undefined, 'a record');
      return { 'device records': queued };
    },
  };
};

const placeOf = ({ location_id, unit_id }: Pick<Subject, 'location_id' | 'unit_id'>): string =>
  `location ${location_id}, unit ${unit_id}`;

async function findSubjects(db: Db, bankId: number, rows: readonly Sync[]): Promise<Map<number, Subject>> {
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

async function* batches(db: Db, bankId: number): AsyncGenerator<Sync[]> {
  const some = db.selectFrom('device_sync').selectAll().where('bank_id', '=', bankId).orderBy('sync_id').limit(atOnce);
  let after: number | undefined;
  for (;;) {
    const rows = await (after === undefined ? some : some.where('sync_id', '>', after)).execute();
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.sync_id;
  }
}
