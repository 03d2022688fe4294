// What the texts of rules and warnings speak of, before it is spelled in a language.

/** What stands in a text's placeholder; how it is spelled is the language's. */
export type TextValue =
  | { readonly minutes: number }
  | { readonly days: number }
  | { readonly minor: bigint }
  | { readonly percent: number }
  | string
  | number;
export type TextValues = Readonly<Record<string, TextValue>>;
