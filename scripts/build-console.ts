// Builds the console into console/dist. With --if-needed it does so only if that is missing or older than its sources,
// and leaves it out where the development dependencies are not installed: the service then says so at /console/.
import { globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const consoleFolder = join(root, 'console');
const dist = join(consoleFolder, 'dist');
const compressible = /\.(?:js|css|html|svg)$/;

const lock = join(consoleFolder, 'dist.lock');
/** Longer than a build takes: what is older is left of a process that was killed. */
const lockMs = 60_000;
const isOnlyIfNeeded = process.argv.includes('--if-needed');

if (!isOnlyIfNeeded || !isCurrent()) await buildAlone();

/** Folders count too: their time tells of files that were removed. */
function isCurrent(): boolean {
  const built = statSync(join(dist, 'index.html'), { throwIfNoEntry: false });
  if (built === undefined) return false;
  const sources = [
    ...globSync('{src,locales}/**', { cwd: consoleFolder }),
    'index.html',
    'vite.config.ts',
    'package.json',
    '../package-lock.json',
    '../scripts/build-console.ts',
  ];
  return sources.every((path) => statSync(join(consoleFolder, path)).mtimeMs <= built.mtimeMs);
}

/** One process at a time: another one may read what this one would replace. */
async function buildAlone(): Promise<void> {
  while (!takeLock()) await sleep(100);
  try {
    if (!isOnlyIfNeeded || !isCurrent()) await buildConsole();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function takeLock(): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const taken = statSync(lock, { throwIfNoEntry: false });
    if (taken !== undefined && Date.now() - taken.mtimeMs > lockMs) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

async function buildConsole(): Promise<void> {
  const vite = await import('vite').catch(() => undefined);
  if (vite === undefined) {
    process.stderr.write('The console is not built: its development dependencies are not installed (npm ci).\n');
    if (!isOnlyIfNeeded) process.exitCode = 1;
    return;
  }
  // Beside the old one until it is whole: a service that starts meanwhile reads either.
  const outDir = join(consoleFolder, `dist.${process.pid}`);
  try {
    await vite.build({
      configFile: join(consoleFolder, 'vite.config.ts'),
      build: { outDir, emptyOutDir: true },
      logLevel: 'warn',
    });
    await compressAll(outDir);
    rmSync(dist, { recursive: true, force: true });
    renameSync(outDir, dist);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** The service sends what is stored beside each file, and compresses nothing itself. */
async function compressAll(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => compressible.test(file));
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file);
      const body = readFileSync(path);
      const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 10 };
      const [br, gz, zst] = await Promise.all([
        promisify(brotliCompress)(body, { params: brotliParams }),
        promisify(gzip)(body, { level: 9 }),
        promisify(zstdCompress)(body, { params: { [constants.ZSTD_c_compressionLevel]: 18 } }),
      ]);
      writeFileSync(`${path}.br`, br);
      writeFileSync(`${path}.gzip`, gz);
      writeFileSync(`${path}.zstd`, zst);
    }),
  );
}
