// Lists the search words of residents.

import type { Tables } from '../../../database/tables.ts';
import { listIdWords, listSearchWords } from '../../../lib/text/search-words.ts';
import { personalFields, type PersonalField } from '../fields.ts';
import { listPhoneWords } from './phone.ts';

type SearchableResident = Pick<Tables['residents'], 'resident_id' | 'phone_number' | PersonalField>;

const searchedTexts = personalFields.filter((field) => field !== 'phone');

export const listResidentWords = (resident: SearchableResident, keyNumbers: readonly string[]): string[] =>
  listSearchWords([
    ...searchedTexts.map((field) => resident[field]),
    ...listPhoneWords({ typed: resident.phone, number: resident.phone_number }),
    ...keyNumbers,
    ...listIdWords('user', resident.resident_id),
  ]);
