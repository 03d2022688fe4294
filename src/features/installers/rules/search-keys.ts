// The keys by which installers are found: their words, and tags in the form that is compared.

import { foldText, listSearchWords } from '../../../lib/search-words.ts';

export type SearchableInstaller = {
  readonly installerId: number;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly organisation: string;
  readonly tags: readonly string[];
};

export const listInstallerWords = ({
  installerId,
  name,
  email,
  phone,
  organisation,
  tags,
}: SearchableInstaller): string[] =>
  listSearchWords([
    name,
    email,
    phone.replaceAll(/\D/g, ''),
    organisation,
    ...tags,
    `${installerId}`,
    `i${installerId}`,
  ]);

const maxTagLength = 64;

/** Two tags with the same key are one. */
export const foldTag = (tag: string): string => Array.from(foldText(tag).trim()).slice(0, maxTagLength).join('');
