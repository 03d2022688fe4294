// DownloadPortalWindowsPackage: a package of the app by its exact file name, whole or in ranges.

import type { PublicContext } from '../../../http/context/operation-context.ts';
import { StoredFile } from '../../../http/stored-file.ts';
import { formatContentDisposition } from '../../../lib/content-disposition.ts';
import type { DownloadsDependencies } from '../dependencies.ts';
import { requireArchitecture, requireRelease } from '../require-release.ts';
import { packageMediaType } from '../rules/app-installer.ts';

export async function downloadPortalWindowsPackage(
  { tenant, environment }: PublicContext,
  { architecture, fileName }: { readonly architecture: string; readonly fileName: string },
  { releases }: DownloadsDependencies,
): Promise<StoredFile> {
  const site = { tenant: tenant.name, environment };
  const released = requireRelease(await releases.findByFileName(site, requireArchitecture(architecture), fileName));
  const opened = requireRelease(await releases.open(released));
  return new StoredFile({
    file: opened.file,
    isUnchanged: opened.isUnchanged,
    size: released.size,
    etag: `"${released.sha256}"`,
    mediaType: packageMediaType,
    headers: {
      // Before each use: a release may be withdrawn.
      'cache-control': 'public, no-cache',
      'content-disposition': formatContentDisposition('attachment', released.fileName),
    },
  });
}
