// Writes assets/passwords/common.txt: the common passwords of 8 characters and more, folded as the service compares them,
// from the list of the package @zxcvbn-ts/language-common (`node scripts/common-passwords.ts`).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countPasswordLength, foldPassword, minPasswordLength } from '../src/features/passwords/rules/password.ts';

const root = join(import.meta.dirname, '..');
const folder = 'node_modules/@zxcvbn-ts/language-common';

/** Every file that this script writes, by its path from the root. */
export function commonPasswordFiles(): Record<string, string> {
  const listed = JSON.parse(readFileSync(join(root, folder, 'src/passwords.json'), 'utf8')) as string[];
  const long = listed.map(foldPassword).filter((password) => countPasswordLength(password) >= minPasswordLength);
  return {
    'assets/passwords/common.txt': `${[...new Set(long)].toSorted().join('\n')}\n`,
    'assets/passwords/LICENSE-zxcvbn-ts': readFileSync(join(root, folder, 'LICENSE.txt'), 'utf8'),
  };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(commonPasswordFiles())) writeFileSync(join(root, path), text);
}
