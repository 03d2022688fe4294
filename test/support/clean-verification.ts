// Runs every command that verifies what is stored.

import assert from 'node:assert/strict';
import { runPortal } from './portal-process.ts';

/** Throws where one of them finds something. */
export async function requireCleanVerification(settings: Record<string, string>): Promise<void> {
  for (const argv of [['verify'], ['verify', 'ledger'], ['verify', 'audit'], ['verify', 'inflow']]) {
    const { code, stdout, stderr } = await runPortal(argv, settings);
    assert.equal(code, 0, `${argv.join(' ')}: ${stdout}${stderr}`);
  }
}
