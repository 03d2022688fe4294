// Measures documents over HTTP: the largest permitted search and the largest permitted table, each against only its
// queries; a cached graph against a bare server; and a document in a full database.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toMs2000 } from '../src/lib/time/ms2000.ts';
import { host, startDemoService, type BenchService } from './support/demo-service.ts';
import {
  insertDocuments,
  insertOtherSamples,
  largeDocument,
  sampledStates,
  searchedBank,
} from './support/documents-data.ts';
import { compareTargets, reportComparison } from './support/measure.ts';
import { fetchReply } from './support/request.ts';
import { startNode, type LoadTarget } from './support/processes.ts';
import { startSameBytesFloor } from './support/same-bytes.ts';

const { bankId, locationId, unitId, documentId } = largeDocument;
const documentPath = (form: string, query: string): string =>
  `/api/v1/documents/sund-B${bankId}-L${locationId}-U${unitId}-D${documentId}/${form}?settings=&states=${query}`;
const tablePath = documentPath('table', sampledStates.join());
const searchPath = `/api/v1/banks/sund-B${searchedBank.bankId}/documents`;
/** The number that runs at once. */
const connections = 2;

export async function benchmarkDocuments(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const few = join(directory, 'few');
  const now = toMs2000(Date.now());
  try {
    const service = await startDemoService(`sqlite:${few}`, 1000, () => insertDocuments(few, now));
    const floorOf = (kind: string) => ({ kind, arguments: [join(few, 'sund.sqlite'), String(now)] });
    await compareWithFloor(
      service.target(searchPath),
      floorOf('search'),
      'Search over 5,000 units, against its queries',
    );
    await compareWithFloor(
      service.target(tablePath),
      floorOf('samples'),
      'JSON table of 31 days and 50,000 samples, against its query with JSON.stringify',
    );
    await compareKeptGraph(service);
    await compareFullDatabase(service, join(directory, 'full'), now);
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function compareWithFloor(
  subject: LoadTarget,
  { kind, arguments: given }: { readonly kind: string; readonly arguments: string[] },
  name: string,
): Promise<void> {
  const floor = await startNode('bench/support/documents-floor.ts', [kind, ...given], {});
  const bare = { port: Number(floor.line['port']), path: '/', host, token: '' };
  reportComparison(name, await compareTargets(subject, bare, connections), { least: 0.3 });
  await floor.stop();
}

/** The graph of a finished run of an hour, which is in the cache. */
async function compareKeptGraph(service: BenchService): Promise<void> {
  const found = await fetchReply(
    service.target(`/api/v1/banks/sund-B1001/documents?unitKid=sund-B1001-L1-U2&limit=100`),
  );
  const kids = (JSON.parse(found.body) as { items: { kid: string }[] }).items.map(({ kid }) => kid);
  for (const kid of kids) {
    const target = service.target(`/api/v1/documents/${kid}/graph.svg`);
    const { headers } = await fetchReply(target);
    if (headers['x-document-complete'] !== 'true') continue;
    const floor = await startSameBytesFloor(target);
    reportComparison('Kept graph, against bare node:http', await compareTargets(target, floor.target), { least: 0.5 });
    await floor.stop();
    return;
  }
  throw new Error('the demo data has no finished document of the unit');
}

/** The same document in a database with few other samples and in one with many, in turns. */
async function compareFullDatabase(service: BenchService, directory: string, now: number): Promise<void> {
  const full = await startDemoService(`sqlite:${directory}`, 1000, async () => {
    await insertDocuments(directory, now);
    await insertOtherSamples(directory);
  });
  const cost = await compareTargets(service.target(tablePath), full.target(tablePath), connections);
  reportComparison('Cost of a document among 100 times as many samples, over one among few', cost, { most: 1.2 });
  await full.stop();
}
