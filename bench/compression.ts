// Measures what compression saves and costs: an account page of a hundred entries in each coding against the same page
// uncompressed, and an image whose compressed bytes are cached.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codings } from '../src/http/compression/codings.ts';
import { startDemoService, type BenchService } from './support/demo-service.ts';
import { compareTargets, reportComparison } from './support/measure.ts';
import { runLoad, type LoadTarget } from './support/processes.ts';
import { accountPath } from './support/time-window.ts';

const postings = 20_000;
const image = '/api/v1/icon/line/washer~n3.svg';
const connections = 32;
const seconds = 3;

export async function benchmarkCompression(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, postings);
    const page = service.target(`${accountPath(367)}&Limit=100`);
    const icon = { ...service.target(image), token: '' };
    const plain = await measure(service, page);
    for (const coding of codings) {
      const coded = { ...page, acceptEncoding: coding };
      const compared = await compareTargets(coded, page);
      reportComparison(`Account page of 100 entries in ${coding} against itself as it is`, compared, { least: 0.5 });
      const { bytes, processorMs } = await measure(service, coded);
      const name = `Account page of 100 entries in ${coding}`;
      reportComparison(`${name}, bytes`, toComparison(bytes, plain.bytes), { most: 0.15 });
      reportComparison(`${name}, ms of processor time`, toComparison(processorMs, plain.processorMs), { most: 2 });
    }
    const compared = await compareTargets({ ...icon, acceptEncoding: 'br' }, icon);
    reportComparison('Icon SVG in br, kept, against itself as it is', compared, { least: 0.8 });
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type Measured = { readonly bytes: number; readonly processorMs: number };

/** The bytes on the network and the processor time of one answer. */
async function measure(service: BenchService, target: LoadTarget): Promise<Measured> {
  await runLoad(target, connections, 1);
  const before = service.processorSeconds();
  const { perSecond, bytesEach } = await runLoad(target, connections, seconds);
  return { bytes: bytesEach, processorMs: ((service.processorSeconds() - before) * 1000) / (perSecond * seconds) };
}

const toComparison = (subject: number, base: number) => ({ ratio: subject / base, subject, base });
