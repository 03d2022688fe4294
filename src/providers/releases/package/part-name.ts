// Decodes the names of files in a package (Open Packaging Conventions, ECMA-376-2, 6.2): percent-encoded, with slashes,
// and never leading out of the folder of the installed package.

import { PackageFault } from './package-fault.ts';

// The characters and names that Windows forbids; `%` has been decoded.
// oxlint-disable-next-line no-control-regex
const forbiddenCharacters = /[\u0000-\u001f<>:"|?*\\]/;

/** The file name of a part. Throws PackageFault if it is not valid. */
export function decodePartName(name: string): string {
  const decoded = decodePercents(name);
  const segments = decoded.split('/');
  const isSafe =
    // An encoded slash would create a folder.
    segments.length === name.split('/').length &&
    !forbiddenCharacters.test(decoded) &&
    segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  if (!isSafe) throw new PackageFault(`${JSON.stringify(name)} is not a valid file name in a package`);
  return decoded;
}

function decodePercents(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new PackageFault(`${JSON.stringify(name)} is not percent-encoded as the names in a package are`);
  }
}
