// The texts of the download page in the ten languages. What a language lacks is shown in Danish, and marked as Danish.

import appDownload from '../../../../locales/app-download.json' with { type: 'json' };
import type { Language } from '../../../lib/text/language.ts';

/** A text, and the language that it is in. */
export type PageText = { readonly text: string; readonly language: Language };

type Texts = Readonly<Record<string, { readonly da: string } & { readonly [language in Language]?: string }>>;

export function downloadPageTexts(language: Language, texts: Texts = appDownload): ReadonlyMap<string, PageText> {
  const find = ({ da, [language]: text }: Texts[string]): PageText =>
    text === undefined ? { text: da, language: 'da' } : { text, language };
  return new Map(Object.entries(texts).map(([key, text]) => [key, find(text)]));
}
