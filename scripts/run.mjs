// Runs a TypeScript file of this repository: `node scripts/run.mjs test/run.ts [arguments]`, by its path from the root.
// It uses the launcher, so that an old Node prints one clear line instead of a stack.
import { launch } from '../bin/launch.mjs';

const [file] = process.argv.splice(2, 1);
launch('../' + file);
