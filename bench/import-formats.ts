// Measures how fast rows of a file are read, against a floor that decodes the file and splits it at each line feed and
// semicolon, and that memory does not grow with the file.

import { compareRates, reportComparison, reportFigure } from './support/measure.ts';
import { chargesFile, createChargesProfile, readCharges } from './support/import-file.ts';
import { startNode } from './support/processes.ts';
import { readTable } from '../src/features/import-profiles/formats/read-table.ts';

const rows = 200_000;
const size = { each: rows, times: 2 };

export async function benchmarkImportFormats(): Promise<void> {
  const profile = createChargesProfile();
  const chunks = [...chargesFile(profile, rows)];
  const read = async (): Promise<void> => {
    const table = await readTable(ReadableStream.from(chunks));
    let count = 0;
    for await (const row of table.rows) if ('values' in row) count += 1;
    if (count !== rows) throw new Error(`read ${count} rows of ${rows}`);
  };
  const readFields = (): Promise<void> => readCharges(profile, chunks, rows);
  const rate = await compareRates(read, () => splitCells(chunks), size);
  reportComparison('Rows of a CSV a second, against its text split', rate, { least: 0.15 });
  reportFigure('Rows of a CSV a second', rate.subject, { least: 300_000 });
  const fields = await compareRates(readFields, read, size);
  reportComparison('Rows with the fields of a profile a second, against rows', fields, { least: 0.2 });
  reportFigure('Most megabytes held while 10,000 rows are read', await measureMegabytes(10_000), { most: 300 });
  // A short file ends before the heap has its size.
  const [few, many] = [await measureMegabytes(300_000), await measureMegabytes(1_000_000)];
  const compared = { ratio: many / few, subject: many, base: few };
  reportComparison('Most megabytes held for 1,000,000 rows, against 300,000', compared, { most: 1.15 });
}

async function splitCells(chunks: readonly Uint8Array[]): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  let count = 0;
  for await (const chunk of ReadableStream.from(chunks)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.split(';').length > 1) count += 1;
  }
  if (count !== rows + 1) throw new Error(`split ${count} rows of ${rows + 1}`);
}

/** In a process of its own, which reads a file that it makes on the way. */
async function measureMegabytes(count: number): Promise<number> {
  const reader = await startNode('bench/support/import-memory.ts', [String(count)], {});
  await reader.stop();
  return Number(reader.line['megabytes']);
}
