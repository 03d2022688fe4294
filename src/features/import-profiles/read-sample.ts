// Reads the beginning of a file by a profile: what was detected, and the first rows as fields. Changes nothing.

import { readTable, type TableOptions } from './formats/read-table.ts';
import { UnreadableFile, type SourceRow } from './formats/source-row.ts';
import { readWith } from './rules/profile-reader.ts';
import type { Profile } from './rules/profile.ts';
import type { ImportSample } from './schemas.ts';

/** What is read of a file. */
const sampleBytes = 65_536;
const sampleRows = 20;

type SampleOptions = Omit<TableOptions, 'profile'>;

/** A file that cannot be read gives no rows, and says why. */
export async function readSample(
  profile: Profile,
  file: AsyncIterable<Uint8Array>,
  options: SampleOptions = {},
): Promise<ImportSample> {
  const beginning = await readBeginning(file);
  const unread = { detected: null, rows: [] };
  try {
    const { detected, rows } = await readTable(ReadableStream.from([beginning]), { ...options, profile });
    const columns = profile.columns.flatMap(({ field }) => field ?? []);
    const read: ImportSample['rows'] = [];
    for await (const row of rows) {
      read.push(toSampleRow(profile, row));
      if (read.length === sampleRows) break;
    }
    return { detected: { ...detected, columns, ignoredColumns: [] }, rows: read, failure: null };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { ...unread, failure: { code: error.code, text: error.message, line: error.line } };
  }
}

/** The last line of a longer file is left out: it may be cut, in the middle of a character. */
async function readBeginning(file: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  let length = 0;
  for await (const block of file) {
    blocks.push(block);
    length += block.length;
    if (length > sampleBytes) break;
  }
  const read = Buffer.concat(blocks);
  if (length <= sampleBytes) return read;
  const beginning = read.subarray(0, sampleBytes);
  const end = Math.max(beginning.lastIndexOf(10), beginning.lastIndexOf(13));
  return end === -1 ? beginning : beginning.subarray(0, end + 1);
}

function toSampleRow(profile: Profile, row: SourceRow): ImportSample['rows'][number] {
  const { line } = row;
  if ('problem' in row) return { line, fields: [], errors: [{ field: '', ...row.problem }] };
  const { fields, problems } = readWith(profile, row);
  return {
    line,
    fields: Array.from(fields, ([field, value]) => ({ field, value: String(value) })),
    errors: problems.map(({ field, code, text }) => ({ field, code, text })),
  };
}
