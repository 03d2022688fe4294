// Lists of residents as the rules describe them, found by reading all texts of all residents: no words, no indexes.

import * as fc from 'fast-check';

export type ModelResident = {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly apartment: string;
  readonly phone: ModelPhone;
  readonly keys: readonly string[];
  readonly locationId: number | null;
  readonly state: 'active' | 'disabled' | 'deleted';
};

/** As it was typed, and in the two ways in which others write it. */
export type ModelPhone = { readonly typed: string; readonly international: string; readonly national: string };

export type ListQuestion = {
  readonly state: ModelResident['state'] | 'all';
  readonly location: number | undefined;
  readonly filter: string;
  readonly sort: 'name' | 'kid' | 'apartment';
  readonly direction: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
};

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .replaceAll(/[Øø]/g, 'o')
    .replaceAll(/[Ææ]/g, 'ae')
    .replaceAll(/[Łł]/g, 'l')
    .replaceAll('ß', 'ss')
    .toLowerCase();

/** Whether a word of the text begins with this: behind a blank, or letters and digits behind anything else. */
function hasBeginning(text: string, wanted: string): boolean {
  const folded = fold(text);
  const isPlain = /^[\p{L}\p{N}]+$/u.test(wanted);
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const before = folded[at - 1] ?? ' ';
    if (before === ' ' || (isPlain && !/[\p{L}\p{N}]/u.test(before))) return true;
  }
  return false;
}

const digitsOf = (text: string): string => text.replaceAll(/[^0-9]/g, '');

function hasPhone({ typed, international, national }: ModelPhone, filter: string): boolean {
  const digits = digitsOf(filter);
  const wanted = digits.startsWith('00') ? digits.slice(2) : digits;
  if (typed === '' || wanted.length < 5 || !/^[\d\s()+./-]+$/.test(filter)) return false;
  return [digitsOf(typed), international, national, `0${national}`].some((number) => number.startsWith(wanted));
}

export function isFound(resident: ModelResident, filter: string, bankKid: string): boolean {
  const { id, name, email, apartment, phone, keys } = resident;
  const numbers = phone.typed === '' ? [] : [digitsOf(phone.typed), phone.international, phone.national];
  const texts = [name, email, apartment, ...numbers, ...keys, String(id), `R${id}`];
  const isWord = (word: string): boolean =>
    word === fold(`${bankKid}-R${id}`) || texts.some((text) => hasBeginning(text, word));
  const words = fold(filter)
    .split(/\s/)
    .filter((word) => word !== '');
  return words.every(isWord) || hasPhone(phone, filter);
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function listModel(
  residents: readonly ModelResident[],
  { state, location, filter, sort, direction, offset, limit }: ListQuestion,
  bankKid: string,
): { readonly ids: number[]; readonly hasMore: boolean } {
  const sign = direction === 'asc' ? 1 : -1;
  const found = residents
    .filter((each) => state === 'all' || each.state === state)
    .filter((each) => location === undefined || each.locationId === location)
    .filter((each) => isFound(each, filter, bankKid))
    .toSorted((a, b) => sign * ((sort === 'kid' ? 0 : collator.compare(a[sort], b[sort])) || a.id - b.id));
  const ids = found.slice(offset, offset + limit).map(({ id }) => id);
  return { ids, hasMore: found.length > offset + limit };
}

const phones: readonly ModelPhone[] = [
  { typed: '', international: '', national: '' },
  { typed: '12 34 56 78', international: '4512345678', national: '12345678' },
  { typed: '+45 12 34 99 00', international: '4512349900', national: '12349900' },
  { typed: '0045 87654321', international: '4587654321', national: '87654321' },
  { typed: '+49 171 2345678', international: '491712345678', national: '1712345678' },
];

export type DrawnResident = Omit<ModelResident, 'id' | 'keys'> & { readonly key: string | undefined };

const words = [
  'Åse',
  'ASE',
  'Lund',
  'Lundgren',
  'Bo',
  'Ærø',
  'Łukasz',
  'Øster',
  'Jo-Ann',
  'Weiß',
  'José',
  'Tag 9',
  'Tag 10',
];

/** The number makes email addresses and keys unique. */
export const anyResident = (number: number): fc.Arbitrary<DrawnResident> =>
  fc.record({
    name: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((each) => each.join(' ')),
    email: fc.constantFrom('', `Ada.Lund+${number}@example.org`, `jo${number}@Bo.example`),
    apartment: fc.constantFrom('', '2. tv', '10. tv', '2. TH', 'A12', 'Øst 3', '1'),
    phone: fc.constantFrom(...phones),
    key: fc.constantFrom(undefined, undefined, `04A2${number}B`),
    locationId: fc.constantFrom(1, 2, null),
    state: fc.constantFrom('active', 'active', 'disabled', 'deleted'),
  });

const filters = [
  '',
  ' ',
  'å',
  'ase',
  'ÅSE lund',
  'lund åse',
  'und',
  'lundgren bo',
  'aer',
  'luk',
  'ost',
  'weiss',
  'JOSE',
  'ann',
  'jo-a',
  'tag 9',
  'tv',
  '2. tv',
  'tv 2.',
  '10.',
  'a12',
  '04a2',
  '04A21B',
  'ada.lund',
  'ada.lund+1@example.org',
  '@',
  'example',
  '12345',
  '12 34 5',
  '+45 12 34',
  '004512345678',
  '0171 23',
  '1712345',
  '171',
  '12 34 56 78',
  '(12) 34-56',
  '4512349900',
  '1001',
  'r1002',
  'R10',
  '100',
  'sund-BANK-R1003',
  'sund-BANK-R1',
  'zzz',
  '%',
  '_',
  '\\',
  "'",
  '\u{10FFFF}',
];

export const anyQuestion = (bankKid: string): fc.Arbitrary<ListQuestion> =>
  fc.record({
    state: fc.constantFrom('all', 'all', 'active', 'disabled', 'deleted'),
    location: fc.constantFrom(undefined, undefined, 1, 2, 7),
    filter: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...filters).map((each) => each.replace('sund-BANK', bankKid)) },
      fc
        .array(fc.constantFrom(...words.map((word) => word.slice(0, 3))), { maxLength: 3 })
        .map((each) => each.join(' ')),
    ),
    sort: fc.constantFrom('name', 'kid', 'apartment'),
    direction: fc.constantFrom('asc', 'desc'),
    offset: fc.constantFrom(0, 0, 1, 5),
    limit: fc.constantFrom(1, 3, 50),
  });
