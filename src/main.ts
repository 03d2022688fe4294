// Runs the command line. Only this file reads the process's environment.

import { run } from './commands/program.ts';

await run(process.argv, process.env);
