// Compares what a manager has typed with what somebody else has stored meanwhile. What only one of them has changed is
// taken from that one; what both have changed is for the manager to choose.

import type { FieldValue, Values } from './command-store.ts';

export type Side = 'mine' | 'theirs';

export type Difference = {
  readonly name: string;
  readonly mine: FieldValue;
  readonly theirs: FieldValue;
  /** Undefined: both have changed it, and the manager chooses. */
  readonly taken: Side | undefined;
};

type Versions = { readonly base: Values; readonly mine: Values; readonly theirs: Values };

export function compareVersions({ base, mine, theirs }: Versions): readonly Difference[] {
  return Object.entries(mine).flatMap(([name, typed]) => {
    const stored = theirs[name] ?? '';
    if (isSameValue(typed, stored)) return [];
    const began = base[name] ?? '';
    const taken = isSameValue(typed, began) ? 'theirs' : isSameValue(stored, began) ? 'mine' : undefined;
    return [{ name, mine: typed, theirs: stored, taken }];
  });
}

/** @param chosen by the manager, where both have changed something */
export const mergeVersions = (versions: Versions, chosen: Readonly<Record<string, Side>>): Values => ({
  ...versions.mine,
  ...Object.fromEntries(
    compareVersions(versions)
      .filter(({ name, taken }) => (chosen[name] ?? taken) === 'theirs')
      .map(({ name, theirs }) => [name, theirs]),
  ),
});

export const isSameValue = (one: FieldValue, other: FieldValue): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
