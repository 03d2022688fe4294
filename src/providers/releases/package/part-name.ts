// The names of files in a package (Open Packaging Conventions, ECMA-376-2, 6.2): percent-encoded, with slashes, and never a
// way out of the folder that the package is installed in.

import { PackageFault } from './package-fault.ts';

// What Windows forbids in names; `%` has been decoded.
// oxlint-disable-next-line no-control-regex
const forbiddenCharacters = /[\u0000-\u001f<>:"|?*\\]/;

/** The name of the file that a part stands for. Throws PackageFault where it is none. */
export function decodePartName(name: string): string {
  const decoded = decodePercents(name);
  const segments = decoded.split('/');
  const isSafe =
    // A slash that was encoded would make a folder.
    segments.length === name.split('/').length &&
    !forbiddenCharacters.test(decoded) &&
    segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  if (!isSafe) throw new PackageFault(`${JSON.stringify(name)} is no name that a file of a package may have`);
  return decoded;
}

function decodePercents(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new PackageFault(`${JSON.stringify(name)} is not percent-encoded as the names in a package are`);
  }
}
