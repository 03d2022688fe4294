// Runs the command line. Only this file reads the process's environment.

import { run } from './commands/program.ts';

const lookEveryMs = 250;

/** Ends this process as soon as npm is gone, which sends SIGTERM only to its shell. The shell ends without passing it on. */
function stopWithParent(): void {
  const parent = process.ppid;
  const look = (): void => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  };
  const timer = setInterval(look, lookEveryMs).unref();
}

// npm sets this for what it runs: https://docs.npmjs.com/cli/using-npm/scripts
if (process.env['npm_lifecycle_event'] !== undefined) stopWithParent();
await run(process.argv, process.env);
