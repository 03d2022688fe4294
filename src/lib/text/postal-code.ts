// Postal codes of the countries whose cities the service completes, by the rule of each country.

/** What identifies a postal code as typed, and how its parts are written together. */
type PostalRule = { readonly pattern: RegExp; write(parts: readonly string[]): string };

const fourDigits: PostalRule = { pattern: /^(\d{4})$/, write: ([code = '']) => code };
const fiveDigits: PostalRule = { pattern: /^(\d{5})$/, write: ([code = '']) => code };
const swedish: PostalRule = { pattern: /^(\d{3}) ?(\d{2})$/, write: (parts) => parts.join(' ') };
// One code, of the former Girobank, has no digit in its first half.
const british: PostalRule = {
  pattern: /^([A-Z]{1,2}\d[A-Z\d]?|GIR) ?(\d[A-Z]{2})$/i,
  write: (parts) => parts.join(' ').toUpperCase(),
};

const rulesByCountry = new Map<string, PostalRule>([
  ['DK', fourDigits],
  ['NO', fourDigits],
  ['SE', swedish],
  ['DE', fiveDigits],
  ['GB', british],
]);

/** Whether the country (ISO 3166-1 alpha-2) has a rule here; without one no text is a postal code. */
export const hasPostalRule = (country: string): boolean => rulesByCountry.has(country);

/** The canonical spelling of a text that is a postal code of the country and nothing else. */
export function parsePostcode(country: string, text: string): string | undefined {
  const rule = rulesByCountry.get(country);
  const [match, ...parts] = rule?.pattern.exec(joinSpaces(text)) ?? [];
  if (rule === undefined || match === undefined) return undefined;
  const postcode = rule.write(parts);
  return postcode.startsWith('GIR') && postcode !== 'GIR 0AA' ? undefined : postcode;
}

type PostcodeAndCity = { readonly postcode: string; /** Empty where there is none. */ readonly city: string };

/** Parses `<postcode> <city>`, or a bare postal code. Undefined where the text does not begin with a postal code. */
export function splitZip(country: string, zip: string): PostcodeAndCity | undefined {
  const words = joinSpaces(zip).split(' ');
  // A postal code has one word or two. Of two readings the longer one is right: `111 29` is no code and a city.
  for (const count of [2, 1]) {
    const postcode = parsePostcode(country, words.slice(0, count).join(' '));
    if (postcode === undefined) continue;
    return { postcode, city: words.slice(count).join(' ') };
  }
  return undefined;
}

const joinSpaces = (text: string): string => text.trim().replaceAll(/\s+/gu, ' ');
