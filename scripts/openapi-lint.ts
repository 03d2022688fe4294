// Writes the OpenAPI documents as the service serves them, and lints each with Redocly and with Spectral (`npm run
// openapi:lint`).
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lintWithSpectral } from './spectral.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENT_COUNT = 10;

const folder = mkdtempSync(join(tmpdir(), 'portal-openapi-'));
try {
  runNode(join(ROOT, 'bin/portal.mjs'), 'openapi', '--out', folder);
  const documents = globSync('**/*.{json,yaml,yml}', { cwd: folder }).toSorted();
  if (documents.length !== DOCUMENT_COUNT)
    throw new Error(`${documents.length} documents were written, not ${DOCUMENT_COUNT}`);
  const paths = documents.map((document) => join(folder, document));
  runNode(join(ROOT, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', ...paths);
  for (const path of paths) {
    const faults = await lintWithSpectral(readFileSync(path, 'utf8'));
    console.log([`Spectral, ${basename(path)}: ${faults.length} faults`, ...faults].join('\n'));
    if (faults.length > 0) process.exitCode = 1;
  }
} catch (error) {
  // The command itself has printed the reason.
  if (!(error instanceof Error && 'status' in error)) console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runNode(...args: string[]): void {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  execFileSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
}
