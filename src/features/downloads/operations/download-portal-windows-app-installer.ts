// DownloadPortalWindowsAppInstaller: the file with which Windows installs the app and keeps it up to date.

import type { PublicContext } from '../../../http/context/operation-context.ts';
import { PreparedFile } from '../../../http/prepared-file.ts';
import { formatContentDisposition } from '../../../lib/content-disposition.ts';
import type { DownloadsDependencies } from '../dependencies.ts';
import { requireArchitecture, requireRelease } from '../require-release.ts';
import { appInstallerMediaType, writeAppInstaller } from '../rules/app-installer.ts';

export async function downloadPortalWindowsAppInstaller(
  context: PublicContext,
  params: { readonly architecture: string },
  { releases, publicScheme }: DownloadsDependencies,
): Promise<PreparedFile> {
  const { tenant, environment, host, scheme } = context;
  const site = { tenant: tenant.name, environment };
  const released = requireRelease(await releases.findOffered(site, requireArchitecture(params.architecture)));
  return new PreparedFile({
    body: Buffer.from(writeAppInstaller(released, `${publicScheme ?? scheme}://${host}`)),
    mediaType: appInstallerMediaType,
    headers: { 'content-disposition': formatContentDisposition('attachment', 'portal.appinstaller') },
  });
}
