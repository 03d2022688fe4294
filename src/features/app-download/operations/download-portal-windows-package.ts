// DownloadPortalWindowsPackage: answers a package of the app by its exact file name, whole or in ranges.

import type { PublicContext } from '../../../http/context/operation-context.ts';
import type { StoredFile } from '../../../http/representations/results.ts';
import { formatContentDisposition } from '../../../lib/text/content-disposition.ts';
import type { AppDownloadDependencies } from '../require-release.ts';
import { requireArchitecture, requireRelease } from '../require-release.ts';
import { packageMediaType } from '../rules/app-installer.ts';

export async function downloadPortalWindowsPackage(
  { tenant, environment }: PublicContext,
  { architecture, fileName }: { readonly architecture: string; readonly fileName: string },
  { releases }: AppDownloadDependencies,
): Promise<StoredFile> {
  const site = { tenant: tenant.name, environment };
  const released = requireRelease(await releases.findByFileName(site, requireArchitecture(architecture), fileName));
  const opened = requireRelease(await releases.open(released));
  return {
    file: opened.file,
    isUnchanged: opened.isUnchanged,
    size: released.size,
    etag: `"${released.sha256}"`,
    mediaType: packageMediaType,
    headers: {
      // Clients must revalidate before each use, because a release can be withdrawn.
      'cache-control': 'public, no-cache',
      'content-disposition': formatContentDisposition('attachment', released.fileName),
    },
  };
}
