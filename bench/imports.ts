// Measures imports and exports over HTTP, on SQLite: how soon a file of residents is planned, how long other writers of the
// bank wait while it is applied, and exports against a server that writes the same bytes out of memory.

import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { compareExport } from './support/compare-export.ts';
import { deleteNotes } from './support/delete-notes.ts';
import { startDemoService, type BenchService } from './support/demo-service.ts';
import { reportFigure } from './support/measure.ts';
import { fetchText } from './support/request.ts';
import { createSettingWriter } from './support/revision-writers.ts';

const bank = 'sund-B1001';
const residents = 100_000;
const postings = 100_000;
const write = { pauseMs: 50, p95Ms: 250 };

type Import = { readonly kid: string; readonly state: string; readonly revision: string };

export async function benchmarkImports(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const service = await startDemoService(`sqlite:${directory}`, postings, () => deleteNotes(directory));
  try {
    const exported = service.target(`/api/v1/exports/postings?bankKid=${bank}`);
    await compareExport('Export of postings', exported, { least: 0.5 });
    const began = performance.now();
    const planned = await createImport(service);
    const { revision } = await waitForState(service, planned.kid, 'planned');
    reportFigure(`Seconds to plan ${residents} residents`, (performance.now() - began) / 1000, { most: 20 });
    await send(service, 'POST', `imports/${planned.kid}/apply`, {
      type: 'application/json',
      body: JSON.stringify({ expectedRevision: revision, allowPartial: true }),
    });
    const applied = waitForState(service, planned.kid, 'applied');
    reportFigure('p95 of SetUnitSetting in ms while they are applied', await measureWrites(service, applied), {
      most: write.p95Ms,
    });
    reportFigure('Megabytes that the service holds afterwards', service.residentMegabytes(), { most: 600 });
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function createImport(service: BenchService): Promise<Import> {
  const header = 'key;name;email;phone;language;apartment;location;tags';
  const rows = Array.from(
    { length: residents },
    (_, at) => `T-${at};Demo Resident ${at};resident${at}@demo.example;;da;${at % 200};${bank}-L${1 + (at % 3)};`,
  );
  const body = [header, ...rows, ''].join('\r\n');
  return send(service, 'POST', `imports?kind=residents&bankKid=${bank}`, { type: 'text/csv', body });
}

type Body = { readonly type: string; readonly body: string };

/** Throws if the service refuses it. */
function send(service: BenchService, method: string, path: string, { type, body }: Body): Promise<Import> {
  const { port, host, token } = service.target('');
  const headers = { host, 'content-type': type, authorization: `Bearer ${token}` };
  const { promise, resolve, reject } = Promise.withResolvers<Import>();
  const outgoing = request({ host: '127.0.0.1', port, path: `/api/v1/${path}`, method, headers, agent: false });
  outgoing.on('error', reject);
  outgoing.on('response', (response) => {
    text(response).then((answer) => {
      if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(answer) as Import);
      else reject(new Error(`${path} answered ${response.statusCode}: ${answer}`));
    }, reject);
  });
  outgoing.end(body);
  return promise;
}

async function waitForState(service: BenchService, kid: string, state: string): Promise<Import> {
  for (;;) {
    const found = JSON.parse(await fetchText(service.target(`/api/v1/imports/${kid}`))) as Import;
    if (found.state === state) return found;
    if (found.state === 'failed') throw new Error(`the import failed: ${JSON.stringify(found)}`);
    await pause(50);
  }
}

/** The 95th percentile in milliseconds of writes one after another, with a pause between them. */
async function measureWrites(service: BenchService, until: Promise<unknown>): Promise<number> {
  const writeSetting = createSettingWriter(service.target(`/api/v1/units/${bank}-L1-U1/settings/Note`));
  const ended = until.then(() => true);
  const times: number[] = [];
  while (!(await Promise.race([ended, pause(write.pauseMs, false)]))) {
    const began = performance.now();
    await writeSetting();
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}
