// Runs a TypeScript file of this repository: `node scripts/run.mjs test/run.ts [arguments]`, by its path from the root.
// Through the launcher, so that an old Node gets one clear line instead of a stack.
import { launch } from '../bin/launch.mjs';

const [file] = process.argv.splice(2, 1);
launch('../' + file);
