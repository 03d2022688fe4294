// Selects the postings of a selection that are listed after one of them, as of an earlier read. Postings are only
// appended, so the postings of that time are those with lower ids than the posting that came next.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { BindParameter, ParameterValues } from '../../../database/statements/prepared-query.ts';
import { selectPostings, type ResolvedSelection } from './selected-postings.ts';

export type PostingPosition = {
  /** The posting. */
  readonly after: {
    readonly recorded_at: number;
    readonly location_id: number;
    readonly unit_id: number;
    readonly posting_id: number;
  };
  /** Postings with this id or a higher one were added after the first read. */
  readonly nextPostingId: number;
};

/** The selection without what was recorded at an instant or later. */
export function cutSelectionBefore(selection: ResolvedSelection, before: number | undefined): ResolvedSelection {
  const { time } = selection;
  if (before === undefined || !('interval' in time)) return selection;
  const { from, to } = time.interval;
  return { ...selection, time: { ...time, interval: { from, to: Math.min(to, before) } } };
}

export const cutSelectionAfter = (selection: ResolvedSelection, { after }: PostingPosition): ResolvedSelection =>
  cutSelectionBefore(selection, after.recorded_at + 1);

export const listPositionValues = ({ after, nextPostingId }: PostingPosition): ParameterValues => ({
  afterTime: after.recorded_at,
  afterLocation: after.location_id,
  afterUnit: after.unit_id,
  afterPosting: after.posting_id,
  below: nextPostingId,
});

/** `selection` is cut after the position, whose values the query binds. */
export function selectPostingsAfter(db: Db, selection: ResolvedSelection, bind: BindParameter) {
  const [time, location, unit] = [bind<number>('afterTime'), bind<number>('afterLocation'), bind<number>('afterUnit')];
  // Previous batches had the newer rows, so the index of a user's postings is limited by the end of the interval.
  const rest = selectPostings(db, selection, bind, { searchedFrom: 'end' });
  return ('interval' in selection.time ? rest : rest.where('recorded_at', '<=', time))
    .where('posting_id', '<', bind<number>('below'))
    .where(
      sql<SqlBool>`(recorded_at < ${time} or postings.location_id > ${location} or (postings.location_id = ${location}
        and (unit_id > ${unit} or (unit_id = ${unit} and posting_id < ${bind<number>('afterPosting')}))))`,
    );
}
