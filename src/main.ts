// The command line, and the only reader of the process's environment.

import { run } from './commands/program.ts';

await run(process.argv, process.env);
