// Compares the download of a CSV file with a bare server that quotes and writes the same cells out of memory.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { host } from './demo-service.ts';
import { reportComparison } from './measure.ts';
import { startNode, type LoadTarget } from './processes.ts';
import { downloadBody, fetchText } from './request.ts';

type ExportBounds = {
  /** The median of so many counts. The first downloads of a small file measure the compiler. */
  readonly downloads?: number;
  readonly least?: number;
};

export async function compareExport(
  name: string,
  target: LoadTarget,
  { downloads = 5, least = 0.3 }: ExportBounds = {},
): Promise<void> {
  const sample = join(mkdtempSync(join(tmpdir(), 'portal-bench-')), 'export.csv');
  // Decoding a text removes its byte order mark.
  writeFileSync(sample, '\uFEFF' + (await fetchText(target)));
  const floor = await startNode('bench/support/floor.ts', ['csv', sample], {});
  rmSync(dirname(sample), { recursive: true });
  const bare = { port: Number(floor.line['port']), path: '/', host, token: '' };
  const rates: { subject: number; base: number }[] = [];
  for (let round = 0; round < downloads; round += 1) {
    const subject = await downloadBody(target);
    const base = await downloadBody(bare);
    if (base.bytes !== subject.bytes) throw new Error(`the floor wrote ${base.bytes} bytes of ${subject.bytes}`);
    rates.push({ subject: subject.bytes / subject.totalMs, base: base.bytes / base.totalMs });
  }
  await floor.stop();
  const [middle = { subject: 0, base: 1 }] = rates
    .toSorted((a, b) => a.subject / a.base - b.subject / b.base)
    .slice(Math.floor(downloads / 2));
  const title = `${name} in bytes per ms, against writing its cells out of memory`;
  reportComparison(title, { ratio: middle.subject / middle.base, ...middle }, { least });
}
