// A file of charges of any length, and a reader that only counts its rows.

import { readTable } from '../../src/features/import-profiles/formats/read-table.ts';
import { createBuiltInProfiles } from '../../src/features/import-profiles/rules/built-in-profiles.ts';
import { readWith } from '../../src/features/import-profiles/rules/profile-reader.ts';
import { writeHeader, writeWith } from '../../src/features/import-profiles/rules/profile-writer.ts';
import type { Profile } from '../../src/features/import-profiles/rules/profile.ts';

const rowsOfChunk = 1000;

export function createChargesProfile(): Profile {
  const profile = createBuiltInProfiles().get('charges');
  if (profile === undefined) throw new Error('there is no profile of charges');
  return profile;
}

export function* chargesFile(profile: Profile, rows: number): Generator<Uint8Array> {
  yield Buffer.from(`${writeHeader(profile)}\r\n`);
  for (let first = 0; first < rows; first += rowsOfChunk) {
    const lines = Array.from({ length: Math.min(rowsOfChunk, rows - first) }, (_, at) =>
      chargeLine(profile, first + at),
    );
    yield Buffer.from(lines.join(''));
  }
}

function chargeLine(profile: Profile, at: number): string {
  const written = writeWith(
    profile,
    new Map<string, string | bigint>([
      ['tenancy', `${at}-1`],
      ['name', `Åse ${at % 7 === 0 ? '"Ås"; ' : ''}Sørensen ${at}`],
      ['periodFrom', '2026-01-01'],
      ['periodThrough', '2026-03-31'],
      ['amountMinor', BigInt(at) * 7n - 1000n],
      ['currency', 'DKK'],
    ]),
  );
  if ('problems' in written) throw new Error(JSON.stringify(written.problems));
  return `${written.line}\r\n`;
}

/** Throws if a row has a problem, or there are fewer rows. */
export async function readCharges(profile: Profile, chunks: Iterable<Uint8Array>, rows: number): Promise<void> {
  const table = await readTable(ReadableStream.from(chunks), { profile });
  let count = 0;
  for await (const row of table.rows) {
    if ('problem' in row) throw new Error(row.problem.text);
    const { fields, problems } = readWith(profile, row);
    if (problems.length > 0 || fields.size !== profile.columns.length) throw new Error(JSON.stringify(problems));
    count += 1;
  }
  if (count !== rows) throw new Error(`read ${count} rows of ${rows}`);
}
