// Decides what is done with a file of a synchronised folder: what there is of it already, whether its plan is applied, and
// what became of it. Pure.

import type { Import } from '../../imports/schemas.ts';
import type { ImportState, MissingAction } from '../../imports/rules/import-states.ts';
import type { IncomingFiles } from './sync-config.ts';

/** An import of the same bytes, for the same kind, bank and source. */
export type EarlierImport = {
  readonly importId: number;
  readonly state: ImportState;
  readonly missing: MissingAction;
  readonly staleRows: number;
  readonly isOfOperator: boolean;
  /** MS2000. */
  readonly changedAt: number;
  /** Whether another import of the kind and the bank has changed something since. */
  readonly isFollowed: boolean;
  /** Whether it says from which day on something is so, and is of an earlier day: such a day may have come since. */
  readonly isOutdated: boolean;
};

type NextStep =
  | { readonly step: 'plan' }
  /** There is an import to work with. */
  | { readonly step: 'applied-before' | 'go-on' | 'approve' | 'wait'; readonly importId: number };

/** What was planned longer ago is planned again: the objects may have changed, and the profile. */
const freshPlanMs = 3_600_000;

/** `earlier` has the newest first. */
export function decideNextStep(
  earlier: readonly EarlierImport[],
  { missing }: Pick<IncomingFiles, 'missing'>,
  now: number,
): NextStep {
  const find = (state: ImportState): EarlierImport | undefined => earlier.find((each) => each.state === state);
  const [applying, undoing] = [find('applying'), find('undoing')];
  if (applying !== undefined) return { step: 'go-on', importId: applying.importId };
  if (undoing !== undefined) return { step: 'wait', importId: undoing.importId };
  // What came after it may have changed what it says. Rows that were stale are planned once more.
  const applied = earlier.find(
    ({ state, staleRows, isFollowed, isOutdated }) =>
      state === 'applied' && staleRows === 0 && !isFollowed && !isOutdated,
  );
  if (applied !== undefined) return { step: 'applied-before', importId: applied.importId };
  const planned = earlier.find(
    (each) =>
      each.state === 'planned' && each.isOfOperator && each.missing === missing && now - each.changedAt < freshPlanMs,
  );
  return planned === undefined ? { step: 'plan' } : { step: 'approve', importId: planned.importId };
}

export type Reason = { readonly code: string; readonly text: string };

type PlanVerdict =
  | { readonly verdict: 'apply'; readonly allowPartial: boolean; readonly expectedMissing: number | undefined }
  | { readonly verdict: 'unchanged' }
  | { readonly verdict: 'failed'; readonly reason: Reason };

/** `keylessRows`: refused rows without a key, so that it is not known whose they are. */
export function judgePlan(
  { state, counts, failure }: Pick<Import, 'state' | 'counts' | 'failure'>,
  { missing: action, allowPartial, maxMissing, maxChanges }: IncomingFiles,
  keylessRows: number,
): PlanVerdict {
  const { create, update, unchanged, missing, refused } = counts;
  const changes = create + update + missing;
  const fail = (code: string, text: string): PlanVerdict => ({ verdict: 'failed', reason: { code, text } });
  if (state !== 'planned') return { verdict: 'failed', reason: describeEnd({ state, failure }) };
  if (action === 'deactivate' && create + update + unchanged + refused === 0)
    return fail('no-rows', 'The file has no rows: a full file without any is more likely to be cut off.');
  if (refused > 0 && (!allowPartial || changes === 0))
    return fail('rows-refused', `Rows are refused (${refused}), and nothing was applied.`);
  if (missing > 0 && keylessRows > 0)
    return fail('keyless-rows', `${keylessRows} refused rows have no key: whoever seems to be missing may be theirs.`);
  if (maxMissing !== undefined && missing > maxMissing)
    return fail('too-many-missing', `The file lacks ${missing} objects, and maxMissing is ${maxMissing}.`);
  if (maxChanges !== undefined && changes > maxChanges)
    return fail('too-many-changes', `${changes} rows change something, and maxChanges is ${maxChanges}.`);
  if (changes === 0) return { verdict: 'unchanged' };
  // A file that has no limit of its own has that of every import: 5 %.
  return { verdict: 'apply', allowPartial, expectedMissing: maxMissing === undefined ? undefined : missing };
}

/** Objects were changed between plan and application. Another plan takes them as they are. */
const maxPlans = 3;

type EndVerdict =
  | { readonly verdict: 'applied' }
  | { readonly verdict: 'plan-again' }
  | { readonly verdict: 'failed'; readonly reason: Reason };

/** `plans`: how many were made for the file so far. */
export function judgeEnd(ended: Pick<Import, 'state' | 'outcomes' | 'failure'>, plans: number): EndVerdict {
  if (ended.outcomes.stale > 0 && ended.state !== 'cancelled' && plans < maxPlans) return { verdict: 'plan-again' };
  return ended.state === 'failed' || ended.state === 'cancelled'
    ? { verdict: 'failed', reason: describeEnd(ended) }
    : { verdict: 'applied' };
}

function describeEnd({ state, failure }: Pick<Import, 'state' | 'failure'>): Reason {
  if (failure === null) return { code: state, text: `The import is ${state}.` };
  const { code, text, line } = failure;
  return { code, text: line === 0 ? text : `Line ${line}: ${text}` };
}
