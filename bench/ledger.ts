// Measures what reads and writes the ledger, on SQLite: receipts, exports, the archive of a settlement, reversals.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchText, downloadBody } from './support/request.ts';
import { host, startDemoService, type BenchService } from './support/demo-service.ts';
import { compareExport } from './support/compare-export.ts';
import {
  busyPostings,
  busyResident,
  exportedResident,
  insertLedgerData,
  usualResidents,
  type LedgerData,
} from './support/ledger-data.ts';
import { compareTargets, compareFirstRequests, rounds, reportComparison, reportFigure } from './support/measure.ts';
import { runLoad, startNode, type LoadTarget } from './support/processes.ts';

const account = '/api/v1/banks/sund-B1001/account';
const megabyte = 1_000_000;

export async function benchmarkLedger(inPeriod: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    let filled: LedgerData | undefined;
    const service = await startDemoService(`sqlite:${directory}`, 1000, async () => {
      filled = await insertLedgerData(directory, inPeriod);
    });
    if (filled === undefined) throw new Error('nothing was filled in');
    const file = join(directory, 'sund.sqlite');
    await compareReceipts(service, file, filled);
    await compareExports(service);
    await reportArchive(service, filled.period);
    await reportReversals(service, filled);
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

// The number of receipts that the service reads at once.
const connections = 2;

async function compareReceipts(service: BenchService, file: string, filled: LedgerData): Promise<void> {
  const own = await startNode('bench/support/floor.ts', ['sqlite-resident', file, String(busyResident)], {});
  const rows = { port: Number(own.line['port']), path: '/', host, token: '' };
  const name = `Page of receipts over ${busyPostings} postings, made anew, against the query of them`;
  reportComparison(name, await compareTargets(await uncachedPageOf(service, busyResident), rows, connections), {
    least: 0.25,
  });
  await own.stop();
  const page = await startNode('bench/support/floor.ts', ['sqlite', file], {});
  await compareUsualReceipts(service, { port: Number(page.line['port']), path: '/', host, token: '' }, filled);
  await page.stop();
}

/** Receipts of a resident with five hundred postings: uncached, with a new page to compute, and cached. */
async function compareUsualReceipts(
  service: BenchService,
  bare: LoadTarget,
  { spareReversible }: LedgerData,
): Promise<void> {
  const { first, count } = usualResidents;
  // The number of residents whose first pages are cached.
  const read = 1000;
  const anew = await compareTargets(bare, await uncachedPageOf(service, first), connections);
  reportComparison('Cost of a resident’s receipts, made anew, over a bare page', anew, { most: 2 });
  const most = count / rounds;
  const never = (round: number) => receiptsOf(service, `{count:${first + round * most}}`);
  const once = await compareFirstRequests(never, bare, { connections, most });
  reportComparison('Cost of receipts of residents never asked for before, over a bare page', once, { most: 2 });
  // An entry is added before every round, so that each round reads a changed ledger.
  let next = spareReversible;
  const post = () => fetchText({ ...service.target(`${account}/sund-B1001-X${next++}/reversal`), body: {} });
  const again = receiptsOf(service, `{among:${first}-${first + read - 1}}`);
  const cost = await compareTargets(bare, again, connections, post);
  reportComparison('Cost of a thousand residents’ receipts in turns over a bare page', cost, { most: 2 });
}

const receiptsOf = (service: BenchService, resident: number | string): LoadTarget =>
  service.target(`/api/v1/users/sund-B1001-R${resident}/receipts`);

/** A page that is never cached, because it is not the first one: all receipts except the newest. */
async function uncachedPageOf(service: BenchService, resident: number): Promise<LoadTarget> {
  const target = receiptsOf(service, resident);
  const { revision } = JSON.parse(await fetchText(target)) as { revision: string };
  return { ...target, path: `${target.path}?offset=1&revision=${revision}` };
}

/** 65,535 rows: the export's own bound. */
async function compareExports(service: BenchService): Promise<void> {
  const path = `${account}/export.csv?UserKid=sund-B1001-R${exportedResident}&From=${yearsBack(1)}`;
  const target = service.target(path);
  const before = service.residentMegabytes();
  const peak = trackPeakMemory(service);
  await compareExport('CSV export', target);
  reportFigure('CSV export: resident memory above idle, MB', peak() - before, { most: 60 });
}

async function reportArchive(service: BenchService, period: number): Promise<void> {
  const target = service.target(`/api/v1/banks/sund-B1002/settlements/${period}/download.zip`);
  const before = service.residentMegabytes();
  const peak = trackPeakMemory(service);
  const { firstByteMs, totalMs, bytes } = await downloadBody(target);
  reportFigure('Settlement archive: first byte, ms', firstByteMs, { most: 1000 });
  reportFigure('Settlement archive: resident memory above idle, MB', peak() - before, { most: 60 });
  process.stdout.write(
    `     Settlement archive: ${(bytes / megabyte).toFixed(1)} MB in ${(totalMs / 1000).toFixed(1)} s\n`,
  );
}

async function reportReversals(service: BenchService, { firstReversible }: LedgerData): Promise<void> {
  const target = service.target(`${account}/sund-B1001-X{count:${firstReversible}}/reversal`);
  const { perSecond } = await runLoad(target, 8, 5, { method: 'POST' });
  reportFigure('Reversals a second from 8 connections', perSecond, { least: 300 });
}

/** Returns the most memory that the service has held since. */
function trackPeakMemory(service: BenchService): () => number {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, service.residentMegabytes())), 50);
  return () => {
    clearInterval(timer);
    return most;
  };
}

const yearsBack = (years: number): string =>
  Temporal.Now.plainDateISO('UTC').subtract({ years }).add({ days: 1 }).toString();
