// The TLS listener as testssl.sh sees it: no old protocol, no weak cipher, no known weakness. What it says of the
// certificate is left out, since that of a test is self-signed.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Round, RoundFigures, RoundOptions } from '../rounds/run-rounds.ts';
import { findProgram } from '../support/programs.ts';
import { startAttackedService } from './support/attacked-service.ts';

type Finding = { readonly id: string; readonly severity: string; readonly finding: string };

const severe = new Set(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL', 'WARN', 'FATAL']);

/**
 * Findings that are no fault of the service, and why. TLS 1.2 has ciphers in CBC mode in Node: Lucky Thirteen is answered by
 * OpenSSL, which takes the same time for each padding. A compressed answer is no secret (BREACH): those are never compressed.
 */
const accepted = new Set([
  'LUCKY13',
  'BREACH',
  'cipherlist_AVERAGE',
  'cipherlist_OBSOLETED',
  'scanTime',
  'engine_problem',
]);

async function run({ isLong }: RoundOptions): Promise<RoundFigures> {
  const service = await startAttackedService({ tls: true, settings: { PORTAL_RATE_LIMIT: 'off' } });
  const folder = mkdtempSync(join(tmpdir(), 'portal-testssl-'));
  try {
    const report = join(folder, 'report.json');
    const checks = isLong ? ['-p', '-s', '-f', '-U'] : ['-p', '-s', '-f'];
    const target = `127.0.0.1:${service.port}`;
    // Its exit code is the number of findings.
    await promisify(execFile)(
      findProgram('testssl') ?? '',
      ['--quiet', '--color', '0', '--warnings', 'off', '--ip', '127.0.0.1', '--jsonfile', report, ...checks, target],
      { timeout: isLong ? 600_000 : 120_000, maxBuffer: 16 * 1024 * 1024 },
    ).catch(() => {});
    const findings = JSON.parse(readFileSync(report, 'utf8')) as readonly Finding[];
    assert.ok(findings.length > 10, 'testssl.sh has checked nothing');
    const faults = findings.filter(({ id, severity }) => severe.has(severity) && !accepted.has(id));
    assert.deepEqual(faults, []);
    const offered = findings.filter(({ id }) => /^TLS1(?:_[0-3])?$|^SSLv[23]$/.test(id));
    await service.assertHealthy();
    return {
      'findings, none severe': findings.length,
      protocols: offered.map(({ id, finding }) => `${id} ${finding}`).join('; '),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await service.stop();
  }
}

/** Old protocols and weak ciphers. */
export const tls: Round = { name: 'tls', needs: ['testssl'], run };
