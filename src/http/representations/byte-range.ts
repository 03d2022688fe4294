// Parses the Range field of a request (RFC 9110, 14.2): one range of bytes. Several ranges, or a field that is not
// understood, get the whole file.

export type ByteRange = { readonly first: number; readonly last: number };

const rangeSpecifier = /^[ \t]*(\d*)-(\d*)[ \t]*$/;
/** No file has so many bytes; more digits would only cost time. */
const maxDigits = 15;

/** Undefined: the whole file is sent. `size` is that of the whole file, at least 1. */
export function parseByteRange(field: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, list] = /^bytes=(.*)$/i.exec(field ?? '') ?? [];
  if (list === undefined) return undefined;
  // An empty element of a list is ignored (RFC 9110, 5.6.1).
  const specifiers = list.split(',').filter((each) => !/^[ \t]*$/.test(each));
  const [, from, through] = rangeSpecifier.exec(specifiers[0] ?? '') ?? [];
  if (specifiers.length !== 1 || from === undefined || through === undefined || from + through === '') return undefined;
  if (from === '') return suffixRange(parseCount(through), size);
  if (through !== '' && isLess(through, from)) return undefined;
  const first = parseCount(from);
  const last = through === '' ? size - 1 : parseCount(through);
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) };
}

const withoutLeadingZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

/** Clamps numbers of any length. */
function isLess(digits: string, than: string): boolean {
  const [a, b] = [withoutLeadingZeros(digits), withoutLeadingZeros(than)];
  return a.length === b.length ? a < b : a.length < b.length;
}

const parseCount = (digits: string): number => {
  const significant = withoutLeadingZeros(digits);
  return significant.length > maxDigits ? 10 ** maxDigits : Number(significant);
};

/** The last bytes of the whole file. */
const suffixRange = (length: number, size: number): ByteRange | 'unsatisfiable' =>
  length === 0 ? 'unsatisfiable' : { first: Math.max(0, size - length), last: size - 1 };
