// Writes THIRD-PARTY-NOTICES.md: every package that the running service uses, Node itself among them, with its licence
// and where its text is. With --check it writes nothing, and fails if the file is out of date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  version: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  /** A workspace. */
  link?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const ROOT = join(import.meta.dirname, '..');
const DOCUMENT = join(ROOT, 'THIRD-PARTY-NOTICES.md');

/** What builds the console, and none of which is in it. */
const buildTools = /^(?:vite|@vitejs\/.*|@react-aria\/optimize-locales-plugin|@types\/.*)$/;

const notices = render();
if (!process.argv.includes('--check')) {
  writeFileSync(DOCUMENT, notices);
} else if (!existsSync(DOCUMENT) || readFileSync(DOCUMENT, 'utf8') !== notices) {
  console.error('THIRD-PARTY-NOTICES.md is out of date: `npm run notices`');
  process.exitCode = 1;
}

function render(): string {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const rows = Object.entries(lock.packages)
    .filter(([folder, locked]) => folder.startsWith('node_modules/') && locked.dev !== true && locked.link !== true)
    .map(([folder, locked]) => rowOf(folder, locked));
  const consoleRows = bundledFolders(lock.packages).map((folder) => rowOf(folder, lock.packages[folder] as Locked));
  return `# Third-party notices

The service runs on these packages; \`npm ci\` installs each of them with the text of its licence, in the file named here.
Node comes as one of the packages whose names begin with \`node-\`, the one for the machine's platform; its file holds the
licences of all that Node is made of. Generated from package-lock.json by \`npm run notices\`.

| package | version | licence | text |
| --- | --- | --- | --- |
${rows.join('')}
The console is made of these packages; its build lists what it has taken of them, with the texts of the licences, in
console/dist/licences.md.

| package | version | licence | text |
| --- | --- | --- | --- |
${consoleRows.join('')}
In assets, with the texts of their licences beside them:

| what | licence | text |
| --- | --- | --- |
| drawings of the set \`line\`, and those of the console, from Tabler Icons | MIT | assets/icons/LICENSE-tabler |
| drawings of the set \`g\`, from Material Symbols | Apache-2.0 | assets/icons/LICENSE-material-symbols |
| letters and digits, from Noto Sans | OFL-1.1 | assets/icons/LICENSE-noto-sans |
| common passwords, from @zxcvbn-ts/language-common | MIT | assets/passwords/LICENSE-zxcvbn-ts |
`;
}

function rowOf(folder: string, locked: Locked): string {
  return `| ${nameOf(folder)} | ${locked.version} | ${licenceOf(folder, locked)} | ${textOf(folder, locked)} |\n`;
}

/** The folders of the packages that the console is built from, with all that these need. */
function bundledFolders(packages: Record<string, Locked>): string[] {
  const found = new Set<string>();
  const collect = (names: string[], from: string): void => {
    for (const name of names.filter((each) => !buildTools.test(each))) {
      const nested = `${from}/node_modules/${name}`;
      const folder = packages[nested] === undefined ? `node_modules/${name}` : nested;
      const locked = packages[folder];
      if (locked === undefined || found.has(folder)) continue;
      found.add(folder);
      collect(Object.keys(locked.dependencies ?? {}), folder);
    }
  };
  collect(Object.keys(packages['console']?.devDependencies ?? {}), 'console');
  return [...found].toSorted();
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function licenceOf(folder: string, locked: Locked): string {
  if (locked.license === undefined) throw new Error(`${folder} names no licence`);
  return locked.license;
}

/** A package for another platform is not installed here, but the output must be the same on every platform. */
function textOf(folder: string, locked: Locked): string {
  if (locked.optional === true) return `${folder}/LICENSE`;
  const file = readdirSync(join(ROOT, folder))
    .toSorted()
    .find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file === undefined ? 'named in its package.json' : `${folder}/${file}`;
}
