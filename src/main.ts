// Runs the command line. Only this file reads the process's environment.

import { run } from './commands/program.ts';
import { stopWithParent } from './commands/serve/stop-with-parent.ts';

// npm sets this for what it runs: https://docs.npmjs.com/cli/using-npm/scripts
if (process.env['npm_lifecycle_event'] !== undefined) stopWithParent();
await run(process.argv, process.env);
