// A command that is refused, run in the test's own process: it prints nothing but its one line of complaint, so no
// process has to be started to see that.

import { mock } from 'node:test';
import { run } from '../../src/commands/program.ts';

export type RefusedCommand = { readonly code: number; readonly stderr: string };

/** What `portal ...args` ends with and complains of. Not for what prints to standard output: that is the test's. */
export async function runRefusedCommand(storage: string, ...args: string[]): Promise<RefusedCommand> {
  let stderr = '';
  const { mock: caught } = mock.method(process.stderr, 'write', (chunk: string) => {
    stderr += chunk;
    return true;
  });
  try {
    await run(['node', 'portal', ...args], { PORTAL_STORAGE: storage });
    return { code: Number(process.exitCode ?? 0), stderr };
  } finally {
    process.exitCode = undefined;
    caught.restore();
  }
}
