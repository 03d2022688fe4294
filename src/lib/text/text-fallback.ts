// Completes the texts of one language with those of another one.

type Texts = Readonly<Record<string, string>>;

/** The texts of one language, each missing one taken from `english`. */
export const withEnglishFallback = (texts: Texts, english: Texts): ReadonlyMap<string, string> =>
  new Map(Object.entries({ ...english, ...texts }));

/** The texts of one language, each missing one taken from `danish`, with the language that each is in. */
export function withDanishFallback<L extends string>(
  language: L,
  texts: Texts,
  danish: Texts,
): ReadonlyMap<string, { readonly text: string; readonly language: L | 'da' }> {
  const tagged = <T extends string>(of: T, all: Texts) =>
    Object.entries(all).map(([key, text]) => [key, { text, language: of }] as const);
  return new Map<string, { text: string; language: L | 'da' }>([...tagged('da', danish), ...tagged(language, texts)]);
}
