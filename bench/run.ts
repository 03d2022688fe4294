// `npm run bench [-- NAME ...] [--postings N]`: every benchmark prints its figure and its ratio to a floor measured in
// the same run, and the process exits with 1 if a bound is missed.

import { parseArgs } from 'node:util';
import { benchmarkAccountOnMariaDb, benchmarkAccountOnSqlite } from './account.ts';
import { benchmarkCompression } from './compression.ts';
import { benchmarkAddresses } from './addresses.ts';
import { benchmarkConsole } from './console.ts';
import { benchmarkDocuments } from './documents.ts';
import { benchmarkDocumentsGraph } from './documents-graph.ts';
import { benchmarkAppDownload } from './app-download.ts';
import { benchmarkEquipment } from './equipment.ts';
import { benchmarkEquipmentFlood } from './equipment-flood.ts';
import { benchmarkEquipmentHttp } from './equipment-http.ts';
import { benchmarkEquipmentPeer } from './equipment-peer.ts';
import { benchmarkImages } from './images.ts';
import { benchmarkImports } from './imports.ts';
import { benchmarkImportFormats } from './import-formats.ts';
import { benchmarkImportPostings } from './import-postings.ts';
import { benchmarkLedger } from './ledger.ts';
import { benchmarkInstallers } from './installers.ts';
import { benchmarkLogins } from './logins.ts';
import { benchmarkManagers } from './managers.ts';
import { benchmarkPlaces } from './places.ts';
import { benchmarkPolls } from './polls.ts';
import { benchmarkRequests } from './requests.ts';
import { benchmarkResidents } from './residents.ts';
import { benchmarkSettings } from './settings.ts';
import { benchmarkStart } from './start.ts';
import { benchmarkTenantStatus } from './tenant-status.ts';
import { benchmarkStatistics } from './statistics.ts';
import { benchmarkWorkers } from './workers.ts';

const { values, positionals } = parseArgs({
  options: { postings: { type: 'string', default: '1000000' } },
  allowPositionals: true,
});
const postings = Number(values.postings);
if (!Number.isInteger(postings) || postings < 1000) throw new Error('--postings takes a whole number of at least 1000');

const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  start: benchmarkStart,
  requests: benchmarkRequests,
  logins: benchmarkLogins,
  workers: benchmarkWorkers,
  statistics: benchmarkStatistics,
  images: benchmarkImages,
  imports: benchmarkImports,
  'import-formats': benchmarkImportFormats,
  'import-postings': () => benchmarkImportPostings(postings),
  compression: benchmarkCompression,
  places: benchmarkPlaces,
  residents: benchmarkResidents,
  installers: benchmarkInstallers,
  managers: benchmarkManagers,
  'tenant-status': benchmarkTenantStatus,
  settings: benchmarkSettings,
  polls: benchmarkPolls,
  console: benchmarkConsole,
  addresses: benchmarkAddresses,
  documents: benchmarkDocuments,
  'documents-graph': benchmarkDocumentsGraph,
  equipment: benchmarkEquipment,
  'equipment-http': benchmarkEquipmentHttp,
  'equipment-flood': benchmarkEquipmentFlood,
  'equipment-peer': benchmarkEquipmentPeer,
  'app-download': benchmarkAppDownload,
  ledger: () => benchmarkLedger(postings),
  'account-sqlite': () => benchmarkAccountOnSqlite(postings),
  'account-mariadb': () => benchmarkAccountOnMariaDb(postings),
};

const chosen = positionals.length === 0 ? Object.keys(benchmarks) : positionals;
for (const name of chosen) {
  const benchmark = benchmarks[name];
  if (benchmark === undefined)
    throw new Error(`there is no benchmark ${name}; there are ${Object.keys(benchmarks).join(', ')}`);
  await benchmark();
}
