// What the query of an address says: texts, unless a screen knows better.

export type Search = Readonly<Record<string, string | undefined>>;

/** A number of the address; undefined if it is missing or none. */
export function numberIn(search: Search, name: string): number | undefined {
  const text = search[name];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** A value of the address that is one of these. */
export const choiceIn = <Choice extends string>(
  search: Search,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => choices.find((choice) => choice === search[name]);
