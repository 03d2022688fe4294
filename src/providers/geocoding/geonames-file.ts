// Reads a file of postal codes in the format of GeoNames: lines of twelve columns, separated by tabs.

import { createReadStream } from 'node:fs';
import { parsePostcode } from '../../lib/text/postal-code.ts';
import type { PostalCity } from './queries/postal-codes.ts';

export type PostalFile = {
  /** By country, for the requested countries. */
  readonly citiesByCountry: ReadonlyMap<string, readonly PostalCity[]>;
  readonly lineCount: number;
  /** The number of lines of other countries. */
  readonly otherCount: number;
  /** The first wrong lines, with their numbers. */
  readonly wrongLines: readonly string[];
};

type PostalLine = { readonly country: string; readonly postcode: string; readonly city: string };

const columnCount = 12;
const maxCityLength = 180;
const maxLineBytes = 4096;
// So many wrong lines are enough to show what is wrong with a file.
const maxWrongLines = 5;
const lineFeed = 0x0a;

/** Reads the whole file before anything is written, so that a file with a wrong line changes nothing. */
export async function readPostalFile(path: string, countries: ReadonlySet<string>): Promise<PostalFile> {
  const cities = new Map<string, Map<string, string | null>>();
  const wrongLines: string[] = [];
  let lineCount = 0;
  let otherCount = 0;
  for await (const bytes of readLines(path)) {
    lineCount += 1;
    const line = readLine(bytes, countries);
    if (typeof line === 'string') {
      wrongLines.push(`line ${lineCount}: ${line}`);
      if (wrongLines.length >= maxWrongLines) break;
    } else if (line === undefined) otherCount += 1;
    else addCity(cities, line);
  }
  const citiesByCountry = new Map(
    [...cities].map(([country, byCode]) => [country, [...byCode].map(([postcode, city]) => ({ postcode, city }))]),
  );
  return { citiesByCountry, lineCount, otherCount, wrongLines };
}

function addCity(cities: Map<string, Map<string, string | null>>, { country, postcode, city }: PostalLine): void {
  const byCode = cities.getOrInsertComputed(country, () => new Map());
  if (byCode.getOrInsert(postcode, city) !== city) byCode.set(postcode, null);
}

/** The postal code of a line, undefined if it is of another country, or the fault of the line. */
function readLine(bytes: Buffer, countries: ReadonlySet<string>): PostalLine | undefined | string {
  if (bytes.length > maxLineBytes) return `it has more than ${maxLineBytes} bytes`;
  const text = decodeUtf8(bytes);
  if (text === undefined) return 'it is not UTF-8';
  const columns = text.replace(/\r$/, '').split('\t');
  if (columns.length !== columnCount) return `it has ${columns.length} columns in place of ${columnCount}`;
  const [country = '', code = '', name = '', , , , , , , latitude = '', longitude = ''] = columns;
  if (!/^[A-Z]{2}$/.test(country)) return 'its country is not two capital letters';
  if (!countries.has(country)) return undefined;
  const postcode = parsePostcode(country, code);
  if (postcode === undefined) return `its postal code is none of ${country}`;
  const city = name.normalize('NFC').trim();
  if (city === '' || city.length > maxCityLength || /\p{Cc}/u.test(city)) return 'its place has no name';
  if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180)) return 'its coordinates are none';
  return { country, postcode, city };
}

const isDegrees = (text: string, most: number): boolean =>
  text === '' || (/^-?\d{1,3}(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= most);

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * A line that is far too long is yielded in parts, so that a file without line breaks needs no more memory than
 * another.
 */
async function* readLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, from)) {
      yield bytes.subarray(from, end);
      from = end + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > maxLineBytes + 1) {
      yield rest;
      rest = Buffer.alloc(0);
    }
  }
  if (rest.length > 0) yield rest;
}
