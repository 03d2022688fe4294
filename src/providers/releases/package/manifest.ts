// Reads the manifest of a package, AppxManifest.xml, as far as the service needs it: the identity.

import { readIdentity, type PackageIdentity } from './identity.ts';
import { PackageFault } from './package-fault.ts';
import { parseXml } from './parse-xml.ts';

export const manifestFile = 'AppxManifest.xml';
const manifestNamespace = 'http://schemas.microsoft.com/appx/manifest/foundation/windows10';

/** Throws PackageFault. */
export function readManifest(bytes: Buffer): PackageIdentity {
  const identities: PackageIdentity[] = [];
  parseXml(manifestFile, bytes, {
    onOpen: ({ name, namespace, depth, attributes }) => {
      if (depth === 0 && (name !== 'Package' || namespace !== manifestNamespace))
        throw new PackageFault(`${manifestFile} is no manifest of a package for Windows 10 and later`);
      if (depth === 1 && name === 'Identity' && namespace === manifestNamespace)
        identities.push(readIdentity(attributes));
    },
  });
  const [identity] = identities;
  if (identity === undefined || identities.length > 1)
    throw new PackageFault(`${manifestFile} has ${identities.length} identities; it must have one`);
  return identity;
}
