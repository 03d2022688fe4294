// What is made of the ledger: receipts, exports, the archive of a settlement, reversals. On SQLite.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ask, drain } from './support/ask.ts';
import { host, serveBank, type Service } from './support/demo-bank.ts';
import { busyPostings, busyResident, fill, usualResident, type Filled } from './support/fill.ts';
import { compare, tell, tellFigure } from './support/measure.ts';
import { load, startNode } from './support/processes.ts';

const account = '/api/v1/banks/sund-B1001/account';
const megabyte = 1_000_000;

export async function ledger(inPeriod: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    let filled: Filled | undefined;
    const service = await serveBank(`sqlite:${directory}`, 1000, async () => {
      filled = await fill(directory, inPeriod);
    });
    if (filled === undefined) throw new Error('nothing was filled in');
    const file = join(directory, 'sund.sqlite');
    await receipts(service, file);
    await exports(service);
    await archive(service, filled.period);
    await reversals(service, filled);
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function receipts(service: Service, file: string): Promise<void> {
  const of = (resident: number) => service.target(`/api/v1/users/sund-B1001-R${resident}/receipts`);
  // As many at once as the service reads at once.
  const connections = 2;
  const own = await startNode('bench/support/floor.ts', ['sqlite-resident', file, String(busyResident)], {});
  const rows = { port: Number(own.line['port']), path: '/', host, token: '' };
  const name = `First page of receipts over ${busyPostings} postings, against the query of them`;
  tell(name, await compare(of(busyResident), rows, connections), { least: 0.25 });
  await own.stop();
  const page = await startNode('bench/support/floor.ts', ['sqlite', file], {});
  const bare = { port: Number(page.line['port']), path: '/', host, token: '' };
  tell('Cost of a usual resident’s receipts over a bare page', await compare(bare, of(usualResident), connections), {
    most: 2,
  });
  await page.stop();
}

/** 65,535 rows or nearly: the export's own bound. */
async function exports(service: Service): Promise<void> {
  const path = `${account}/export.csv?UserKid=sund-B1001-R${busyResident}&From=${yearsBack(1)}`;
  const target = service.target(path);
  const before = service.residentMegabytes();
  const peak = watch(service);
  const sample = join(mkdtempSync(join(tmpdir(), 'portal-bench-')), 'export.csv');
  writeFileSync(sample, await ask(target));
  const floor = await startNode('bench/support/floor.ts', ['csv', sample], {});
  rmSync(dirname(sample), { recursive: true });
  const bare = { port: Number(floor.line['port']), path: '/', host, token: '' };
  const rates: { subject: number; base: number }[] = [];
  for (let round = 0; round < 5; round += 1) {
    const subject = await drain(target);
    const base = await drain(bare);
    rates.push({ subject: subject.bytes / subject.totalMs, base: base.bytes / base.totalMs });
  }
  await floor.stop();
  const [middle = { subject: 0, base: 1 }] = rates.toSorted((a, b) => a.subject / a.base - b.subject / b.base).slice(2);
  const ratio = middle.subject / middle.base;
  const name = 'CSV export in bytes per ms, against writing rows out of memory';
  tell(name, { ratio, ...middle }, { least: 0.5 });
  tellFigure('CSV export: resident memory above idle, MB', peak() - before, { most: 60 });
}

async function archive(service: Service, period: number): Promise<void> {
  const target = service.target(`/api/v1/banks/sund-B1002/settlements/${period}/download.zip`);
  const before = service.residentMegabytes();
  const peak = watch(service);
  const { firstByteMs, totalMs, bytes } = await drain(target);
  tellFigure('Settlement archive: first byte, ms', firstByteMs, { most: 1000 });
  tellFigure('Settlement archive: resident memory above idle, MB', peak() - before, { most: 60 });
  process.stdout.write(
    `     Settlement archive: ${(bytes / megabyte).toFixed(1)} MB in ${(totalMs / 1000).toFixed(1)} s\n`,
  );
}

async function reversals(service: Service, { firstReversible }: Filled): Promise<void> {
  const target = service.target(`${account}/sund-B1001-X{count:${firstReversible}}/reversal`);
  const { perSecond } = await load(target, 8, 5, 'POST');
  tellFigure('Reversals a second from 8 connections', perSecond, { least: 300 });
}

/** Answers the most that the service has held since. */
function watch(service: Service): () => number {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, service.residentMegabytes())), 50);
  return () => {
    clearInterval(timer);
    return most;
  };
}

const yearsBack = (years: number): string =>
  Temporal.Now.plainDateISO('UTC').subtract({ years }).add({ days: 1 }).toString();
