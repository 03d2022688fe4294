// Declares the download of the app for Windows: its page, its installation file and its packages.

import { definePublicOperation, type Operation } from '../../http/operations/operation.ts';
import { preparedFile, storedFile } from '../../http/operations/response.ts';
import type { AppDownloadDependencies } from './require-release.ts';
import { downloadPortalWindowsAppInstaller } from './operations/download-portal-windows-app-installer.ts';
import { downloadPortalWindowsPackage } from './operations/download-portal-windows-package.ts';
import { getPortalAppDownloadPage } from './operations/get-portal-app-download-page.ts';
import { appInstallerMediaType, packageMediaType } from './rules/app-installer.ts';
import * as schemas from './schemas.ts';

const commonOperation = {
  method: 'GET',
  openApiDocuments: ['public'],
  group: 'App download',
  storageFree: true,
  deadlineMs: 10_000,
} as const;

export const appDownloadRoutes = (dependencies: AppDownloadDependencies): Operation[] => [
  definePublicOperation({
    ...commonOperation,
    id: 'GetPortalAppDownloadPage',
    path: '/download',
    summary: 'The page from which the app for Windows is downloaded',
    description:
      'A page without scripts, in the language of `Language`, or else of Accept-Language. If the host offers no release, the page says so, with status 200.',
    localised: true,
    query: schemas.DownloadPageQuery,
    response: preparedFile(['text/html'], { headers: ['Content-Security-Policy', 'Accept-CH'] }),
    run: ({ query }, context) => getPortalAppDownloadPage(context, query, dependencies),
  }),
  definePublicOperation({
    ...commonOperation,
    id: 'DownloadPortalWindowsAppInstaller',
    path: '/download/windows/{architecture}/portal.appinstaller',
    summary: 'The file with which Windows installs the app and keeps it up to date',
    description: 'It names the package of the release that the host offers for the architecture.',
    params: schemas.InstallationFileParams,
    response: preparedFile([appInstallerMediaType], { headers: ['Content-Disposition'] }),
    problemCodes: ['release-not-found'],
    run: ({ params }, context) => downloadPortalWindowsAppInstaller(context, params, dependencies),
  }),
  definePublicOperation({
    ...commonOperation,
    id: 'DownloadPortalWindowsPackage',
    path: '/download/windows/{architecture}/{fileName}',
    summary: 'A package of the app (MSIX)',
    description:
      'The release that the host offers, or an older one that is still stored, by the exact file name. Interrupted downloads can be resumed: `Range`, with `If-Range` or `If-Match`.',
    params: schemas.AppPackageParams,
    response: storedFile([packageMediaType], { headers: ['Content-Disposition'] }),
    problemCodes: ['release-not-found'],
    run: ({ params }, context) => downloadPortalWindowsPackage(context, params, dependencies),
  }),
];
