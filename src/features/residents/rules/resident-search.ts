// Lists the search words of residents.

import { listIdWords, listSearchWords } from '../../../lib/text/search-words.ts';
import { listPhoneWords, type Phone } from './phone.ts';

type SearchableResident = {
  readonly residentId: number;
  readonly name: string;
  readonly apartment: string;
  readonly email: string;
  readonly phone: Phone;
  readonly keyNumbers: readonly string[];
};

export const listResidentWords = ({
  residentId,
  name,
  apartment,
  email,
  phone,
  keyNumbers,
}: SearchableResident): string[] =>
  listSearchWords([
    name,
    apartment,
    email,
    ...listPhoneWords(phone),
    ...keyNumbers,
    ...listIdWords('user', residentId),
  ]);
