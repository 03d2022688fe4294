// DownloadPortalWindowsAppInstaller: answers the file with which Windows installs the app and keeps it up to date.

import type { PublicContext } from '../../../http/context/operation-context.ts';
import type { PreparedFile } from '../../../http/representations/results.ts';
import { formatContentDisposition } from '../../../lib/text/content-disposition.ts';
import type { AppDownloadDependencies } from '../require-release.ts';
import { requireArchitecture, requireRelease } from '../require-release.ts';
import { appInstallerMediaType, writeAppInstaller } from '../rules/app-installer.ts';

export async function downloadPortalWindowsAppInstaller(
  context: PublicContext,
  params: { readonly architecture: string },
  { releases, publicScheme }: AppDownloadDependencies,
): Promise<PreparedFile> {
  const { tenant, environment, host, scheme } = context;
  const site = { tenant: tenant.name, environment };
  const released = requireRelease(await releases.findOffered(site, requireArchitecture(params.architecture)));
  return {
    body: Buffer.from(writeAppInstaller(released, `${publicScheme ?? scheme}://${host}`)),
    mediaType: appInstallerMediaType,
    headers: { 'content-disposition': formatContentDisposition('attachment', 'portal.appinstaller') },
  };
}
