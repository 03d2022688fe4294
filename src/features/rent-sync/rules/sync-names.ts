// The names of files in a synchronised folder: which are looked at, which entry of the config they belong to, and what a
// file is called where it is moved to. Pure.

import type { IncomingFiles } from './sync-config.ts';

/** With the name of a report, and a time, a name still has at most as many bytes as file systems allow. */
const maxNameBytes = 200;

const unfinishedNames = /\.(?:part|tmp|filepart)$/i;

/** The name of the config in the folder. */
export const configName = 'sync.json';

/** A file that is being sent under this name, or is none of the sender's. */
export const isIgnoredName = (name: string): boolean =>
  name.startsWith('.') || name === configName || unfinishedNames.test(name);

export const isTooLongName = (name: string): boolean => Buffer.byteLength(name) > maxNameBytes;

/** The first entry whose pattern the name matches. */
export const findIncoming = (incoming: readonly IncomingFiles[], name: string): IncomingFiles | undefined =>
  incoming.find(({ pattern }) => matchesPattern(pattern, name));

/** Case counts, as it does in names of files. The time is at most in proportion to the product of the lengths. */
function matchesPattern(pattern: string, name: string): boolean {
  const [wanted, given] = [Array.from(pattern), Array.from(name)];
  let offset = 0;
  let star = -1;
  let afterStar = 0;
  for (let read = 0; read < given.length;) {
    if (wanted[offset] === '*') {
      star = offset;
      offset += 1;
      afterStar = read;
    } else if (offset < wanted.length && (wanted[offset] === '?' || wanted[offset] === given[read])) {
      offset += 1;
      read += 1;
    } else if (star >= 0) {
      // The last star takes one character more.
      offset = star + 1;
      afterStar += 1;
      read = afterStar;
    } else return false;
  }
  return wanted.slice(offset).every((each) => each === '*');
}

/** The name if it is free, else one with the time in it, before the ending: `residents-20260531T220000Z.csv`. */
export function findFreeName(name: string, utc: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const stamp = utc.replaceAll(/[-:]|\.\d+/g, '');
  for (let count = 1; ; count += 1) {
    const free = `${stem}-${stamp}${count === 1 ? '' : `-${count}`}${ending}`;
    if (!isTaken(free)) return free;
  }
}

export const reportNames = (name: string): { readonly json: string; readonly text: string } => ({
  json: `${name}.report.json`,
  text: `${name}.report.txt`,
});

/** `day` is the day in the time zone of the tenant, such as 2026-05-31; `period` that of charges. */
export const formatOutgoingName = (file: string, day: string, period?: number): string =>
  file.replaceAll('{date}', day).replaceAll('{period}', String(period ?? ''));

/** While it is being written. */
export const temporaryNameOf = (name: string): string => `.${name}.tmp`;
