// sqlmap tries every parameter of operations on both engines: path, query and members of a body. The short form tries a
// few operations of each kind, the long one all that name an object or search.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createOperations } from '../../src/app.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { examplePartsOf, toRequest } from '../http/support/identifier-requests.ts';
import type { Round, RoundFigures, RoundOptions } from '../rounds/run-rounds.ts';
import { createDependenciesWithoutStorage } from '../support/dependencies-without-storage.ts';
import { findProgram } from '../support/programs.ts';
import type { Engine } from '../support/service.ts';
import { attackerHost, startAttackedService, type AttackedService } from './support/attacked-service.ts';

/** One that searches, one that names an object in its path, and one with a body. */
const shortForm = new Set(['GetBankUsers', 'GetBankAccount', 'LoginManager']);

/** They end the session, change the password or wait: what follows would be tried without rights. */
const leftOut = new Set(['LogoutManager', 'ChangeMyManagerPassword', 'GetImportEvents']);

/** Where sqlmap puts what it tries, beside the members of a query or body, which it finds itself. */
const mark = '*';

function listTargets(isLong: boolean): Operation[] {
  const { operations } = createOperations(createDependenciesWithoutStorage());
  return operations.filter(
    ({ id, access, bodyFormat }) =>
      access !== 'computer' &&
      bodyFormat === undefined &&
      !leftOut.has(id) &&
      (isLong ? id === 'LoginManager' || access !== 'anyone' : shortForm.has(id)),
  );
}

/** The arguments that name the request, with marks in its path and query. */
function requestArguments(operation: Operation, port: number): string[] {
  const parts = examplePartsOf(operation);
  const { filter } = (operation.query?.properties ?? {}) as Record<string, unknown>;
  const query = { ...parts.query, ...(filter === undefined ? {} : { filter: 'a' }) };
  const { method, url, payload } = toRequest(operation, { ...parts, query });
  const [path = '', search] = url.split('?', 2);
  const markedPath = Object.keys(parts.path).length === 0 ? path : `${path}${mark}`;
  const markedSearch = search === undefined ? '' : `?${search.replaceAll(/(?=&|$)/g, mark)}`;
  return [
    '-u',
    `http://127.0.0.1:${port}${markedPath}${markedSearch}`,
    `--method=${method}`,
    ...(payload === undefined ? [] : ['--data', payload, '--headers', 'Content-Type: application/json']),
  ];
}

async function trySqlmap(
  service: AttackedService,
  operation: Operation,
  engine: Engine,
  isLong: boolean,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-sqlmap-'));
  try {
    const { stdout } = await promisify(execFile)(
      findProgram('sqlmap') ?? '',
      [
        ...requestArguments(operation, service.port),
        `--host=${attackerHost}`,
        `--auth-type=bearer`,
        `--auth-cred=${service.attackerToken}`,
        `--dbms=${engine === 'sqlite' ? 'sqlite' : 'mysql'}`,
        `--level=${isLong ? 2 : 1}`,
        '--risk=1',
        // Without what waits: time is no sign on a busy machine.
        '--technique=BEUQ',
        '--ignore-code=*',
        '--batch',
        '--flush-session',
        '--disable-coloring',
        '--timeout=20',
        '--retries=1',
        `--output-dir=${folder}`,
      ],
      { timeout: isLong ? 300_000 : 60_000, maxBuffer: 64 * 1024 * 1024 },
    );
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryEngine(engine: Engine, isLong: boolean, figures: Record<string, number>): Promise<void> {
  const service = await startAttackedService({ engine, settings: { PORTAL_RATE_LIMIT: 'off' } });
  try {
    for (const operation of listTargets(isLong)) {
      const output = await trySqlmap(service, operation, engine, isLong);
      const found = /is vulnerable|sqlmap identified the following injection point/.exec(output);
      assert.equal(found, null, `${operation.id} on ${engine}: ${output.slice(-2000)}`);
      assert.match(output, /do(?:es)? not (?:seem|appear) to be injectable/, `${operation.id}: ${output.slice(-2000)}`);
      figures[`operations tried on ${engine}`] = (figures[`operations tried on ${engine}`] ?? 0) + 1;
    }
    await service.assertHealthy();
  } finally {
    await service.stop();
  }
}

async function run({ isLong }: RoundOptions): Promise<RoundFigures> {
  const figures: Record<string, number> = {};
  for (const engine of ['sqlite', 'mariadb'] as const) await tryEngine(engine, isLong, figures);
  return figures;
}

/** SQL in the place of a parameter. */
export const injection: Round = { name: 'injection', needs: ['sqlmap', 'mariadbd', 'mariadb-install-db'], run };
