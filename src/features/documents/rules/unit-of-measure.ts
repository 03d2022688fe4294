// Converts UCUM codes (The Unified Code for Units of Measure) to units of measure as people write them.

/** Units whose symbol differs from their code, and products that are written as one word. */
const symbols: ReadonlyMap<string, string> = new Map([
  ['Cel', '°C'],
  ['[degF]', '°F'],
  ['deg', '°'],
  ['Ohm', 'Ω'],
  ['kOhm', 'kΩ'],
  ['um', 'µm'],
  ['us', 'µs'],
  ['W.h', 'Wh'],
  ['kW.h', 'kWh'],
  ['MW.h', 'MWh'],
  ['var.h', 'varh'],
  ['kvar.h', 'kvarh'],
  ['A.h', 'Ah'],
  ['[ppm]', 'ppm'],
  ['B[SPL]', 'B'],
  ['dB[SPL]', 'dB'],
]);

const superscripts: ReadonlyMap<string, string> = new Map([
  ['-', '⁻'],
  ...Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹', (raised, digit) => [String(digit), raised] as const),
]);

/** `kW.h` -> `kWh`, `m3/h` -> `m³/h`, `/min` -> `1/min`. An unknown code is not changed. */
export function formatUnitOfMeasure(ucum: string): string {
  const [numerator = '', ...denominators] = ucum.split('/');
  return [numerator === '' ? '1' : formatProduct(numerator), ...denominators.map(formatProduct)].join('/');
}

const formatProduct = (product: string): string => symbols.get(product) ?? product.split('.').map(formatTerm).join('·');

function formatTerm(term: string): string {
  const known = symbols.get(term);
  if (known !== undefined) return known;
  // An annotation, such as {rpm} or the {residents} of 1/{residents}, is the unit if there is no other.
  const remark = /^\{([^{}]+)\}$/.exec(term)?.[1];
  if (remark !== undefined) return remark;
  const [, unit, exponent] = /^([A-Za-zµ]+)(-?\d)$/.exec(term) ?? [];
  if (unit === undefined || exponent === undefined) return term;
  return `${symbols.get(unit) ?? unit}${Array.from(exponent, (digit) => superscripts.get(digit) ?? digit).join('')}`;
}
