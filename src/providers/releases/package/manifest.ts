// Reads the identity of a package from its manifest, AppxManifest.xml.

import { readIdentity, type PackageIdentity } from './package-identity.ts';
import { PackageFault } from './package-fault.ts';
import { parseXml } from './parse-xml.ts';

export const manifestFile = 'AppxManifest.xml';
const manifestNamespace = 'http://schemas.microsoft.com/appx/manifest/foundation/windows10';

/** Throws PackageFault. */
export function readManifest(bytes: Buffer): PackageIdentity {
  const identities: PackageIdentity[] = [];
  parseXml(manifestFile, bytes, ({ name, namespace, depth, attributes }) => {
    if (depth === 0 && (name !== 'Package' || namespace !== manifestNamespace))
      throw new PackageFault(`${manifestFile} is not the manifest of a package for Windows 10 and later`);
    if (depth === 1 && name === 'Identity' && namespace === manifestNamespace)
      identities.push(readIdentity(attributes));
  });
  const [identity] = identities;
  if (identity === undefined || identities.length > 1)
    throw new PackageFault(`${manifestFile} has ${identities.length} identities; it must have one`);
  return identity;
}
