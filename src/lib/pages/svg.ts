// Builds SVG. Every text and attribute is escaped in this file, at output, so that nothing a client sends can become
// markup.

declare const svgBrand: unique symbol;

/** Well-formed markup, which only this file makes. */
export type Svg = { readonly markup: string; readonly [svgBrand]: true };

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/**
 * An element. A string among the children is text; an attribute that is undefined is left out. An `svg` element
 * declares the namespace by itself. Names of elements and attributes come from code, so names are not escaped.
 */
export function element(name: string, attributes: Attributes, ...children: readonly (Svg | string)[]): Svg {
  let markup = name === 'svg' ? svgRootStart : `<${name}`;
  for (const key in attributes) {
    const value = attributes[key];
    if (value === undefined) continue;
    markup += ` ${key}="${typeof value === 'number' ? formatNumber(value) : escapeText(value)}"`;
  }
  if (children.length === 0) return createSvg(`${markup}/>`);
  markup += '>';
  for (const child of children) markup += typeof child === 'string' ? escapeText(child) : child.markup;
  return createSvg(`${markup}</${name}>`);
}

/** Several elements as one. */
export function fragment(...children: readonly (Svg | string)[]): Svg {
  return createSvg(children.map((child) => (typeof child === 'string' ? escapeText(child) : child.markup)).join(''));
}

/** Markup that ships with the service, such as an icon's drawing. It is not escaped: never use it for input. */
export function trustedMarkup(markup: string): Svg {
  return createSvg(markup);
}

const svgRootStart = '<svg xmlns="http://www.w3.org/2000/svg"';

/** The text of a whole document, whose root is an `svg` element. */
export function formatDocument({ markup }: Svg): string {
  if (!markup.startsWith(svgRootStart)) throw new TypeError('the root of an SVG document is an svg element');
  return markup;
}

/**
 * A number as SVG and CSS read it: the shortest decimal that is exactly this number, or this number rounded to that many
 * decimals; never an exponent, never -0.
 */
export function formatNumber(value: number, decimals?: number): string {
  const number = decimals === undefined ? value : roundTo(value, decimals);
  if (!Number.isFinite(number)) throw new RangeError(`a drawing cannot have the number ${number}`);
  const text = `${number}`;
  return text.includes('e') ? withoutExponent(text) : text;
}

/** To that many decimals, halves away from zero. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const scaled = Math.round(Math.abs(value) * scale) / scale;
  return value < 0 ? -scaled : scaled;
}

function withoutExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  const digits = whole + fraction;
  const power = Number(exponent);
  // The exponent is below -6 or above 20, so all digits stand on one side of the point.
  return power < 0 ? `${sign}0.${'0'.repeat(-power - 1)}${digits}` : `${sign}${digits.padEnd(power + 1, '0')}`;
}

// What has a meaning in markup, what an XML parser would change (line ends, tabs), and what XML 1.0 cannot hold at all.
// oxlint-disable-next-line no-control-regex
const specialCharacters = /[&<>"'\u0000-\u001F\uFFFE\uFFFF]/g;
const characterReferences: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes text for markup; characters that XML 1.0 cannot hold are dropped, a lone surrogate becomes U+FFFD. */
function escapeText(text: string): string {
  return isPlainAscii(text)
    ? text
    : text.toWellFormed().replace(specialCharacters, (character) => characterReferences[character] ?? '');
}

/** Whether all characters are ASCII without a meaning in markup, as in nearly every attribute: faster than a pattern. */
function isPlainAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (plainAsciiCodes[text.charCodeAt(index)] !== 1) return false;
  }
  return true;
}

const plainAsciiCodes = Uint8Array.from({ length: 128 }, (_, code) =>
  code >= 0x20 && code !== 0x7f && characterReferences[String.fromCharCode(code)] === undefined ? 1 : 0,
);

function createSvg(markup: string): Svg {
  return { markup } as Svg;
}
