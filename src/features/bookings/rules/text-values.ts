// Defines the values in the texts of booking rules and warnings, before they are formatted in a language.

/**
 * The value of a placeholder. Durations, amounts, percentages and the labels of settings are formatted in the language of
 * the answer.
 */
export type TextValue =
  | { readonly minutes: number }
  | { readonly days: number }
  | { readonly minor: bigint }
  | { readonly percent: number }
  | { readonly settingName: string }
  | string
  | number;
/** By placeholder. */
export type TextValues = Readonly<Record<string, TextValue>>;
