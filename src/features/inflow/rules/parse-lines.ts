// Parses the body of a request to a stream: JSON Lines, of which the first is the header. Parses and compares single
// lines, too.

import { createHash } from 'node:crypto';
import { isExactNumber, isJsonNumber, mayNeedExactNumbers, parseExactJson } from '../../../lib/values/int64.ts';
import { parseStreamHeader, type ReceivedHeader } from './stream-header.ts';

const maxLinesPerRequest = 1000;
const maxLineBytes = 16_384;
/** A line is flat; one that is nested deeper is not looked at. */
const maxDepth = 8;

export type StreamLine = {
  readonly n: number;
  /** The line as it was sent. */
  readonly text: string;
  /** Parsed; undefined where it is not an object, or nested too deeply. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
};

export type StreamBody = { readonly header: ReceivedHeader; readonly lines: readonly StreamLine[] };

/**
 * The header and the lines, or why nothing of the body is stored. A body that is broken as a whole is refused. What a
 * single line says is decided later.
 */
export function parseStreamBody(bytes: Uint8Array): StreamBody | { readonly reason: string } {
  const texts = splitLines(bytes);
  if (texts === undefined) return { reason: 'The body is not UTF-8.' };
  const [headerText = '', ...lineTexts] = texts;
  if (lineTexts.length > maxLinesPerRequest) return { reason: `There are more than ${maxLinesPerRequest} lines.` };
  const tooLong = texts.findIndex((text) => Buffer.byteLength(text) > maxLineBytes);
  if (tooLong !== -1) return { reason: `Line ${tooLong} of the body is longer than ${maxLineBytes} bytes.` };
  const headerJson = parseJson(headerText);
  const header = headerJson === undefined ? undefined : parseStreamHeader(headerJson.value);
  if (header === undefined) return { reason: 'The header is not valid.' };
  if (!Number.isSafeInteger(header.first + lineTexts.length))
    return { reason: 'The numbers of the lines are too large.' };
  return parseNumberedLines(header, lineTexts);
}

function parseNumberedLines(
  header: ReceivedHeader,
  texts: readonly string[],
): StreamBody | { readonly reason: string } {
  const lines: StreamLine[] = [];
  for (const [index, text] of texts.entries()) {
    const n = header.first + index;
    const json = parseJson(text);
    if (json === undefined) return { reason: `Line ${index + 1} of the body is not JSON.` };
    const fields = isObject(json.value) ? json.value : undefined;
    if (isJsonNumber(fields?.['n']) && fields?.['n'] !== n)
      return { reason: `Line ${index + 1} of the body has another number than ${n}.` };
    lines.push({ n, text, fields });
  }
  return { header, lines };
}

/** Undefined where the bytes are not UTF-8. A line feed at the end begins no further line. */
function splitLines(bytes: Uint8Array): string[] | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return (text.endsWith('\n') ? text.slice(0, -1) : text).split(/\r?\n/);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Undefined where the text is not JSON. The value is undefined where it is nested too deeply. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (isTooDeep(text)) return { value: undefined };
    return { value: mayNeedExactNumbers(text) ? parseExactJson(text) : value };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Brackets inside of strings do not count. */
function isTooDeep(text: string): boolean {
  if (hasFewOpeningBrackets(text)) return false;
  let depth = 0;
  for (const [bracket] of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** So it is with nearly every line, and quicker to find out than its depth. */
function hasFewOpeningBrackets(text: string): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    let index = text.indexOf(bracket);
    for (; index !== -1 && count <= maxDepth; index = text.indexOf(bracket, index + 1)) count += 1;
  }
  return count <= maxDepth;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);

/** What is held is JSON; a text that is no object has no members. */
export function parseHeldFields(text: string): StreamLine['fields'] {
  const value = parseExactJson(text);
  return isObject(value) ? value : undefined;
}

/** SHA-256 of the line in canonical JSON: members sorted by name, no white space. */
export function hashLineContent({ fields = {} }: Pick<StreamLine, 'fields'>): string {
  const { n: _number, ...content } = fields;
  return createHash('sha256').update(toCanonicalJson(content)).digest('hex');
}

const toCanonicalJson = (value: unknown): string => JSON.stringify(sortMembers(value));

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, sortMembers(each)]));
}
