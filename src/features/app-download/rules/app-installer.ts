// Formats the installer of the app (.appinstaller), by which Windows finds the package and its updates. The namespace
// of 2018 is the first that supports arm64.

import { escapeHtml } from '../../../lib/text/escape-html.ts';
import type { ReleasedPackage } from '../../../providers/releases/releases.ts';

export const appInstallerMediaType = 'application/appinstaller';
export const packageMediaType = 'application/msix';

export const installerPath = (architecture: string): string => `/download/windows/${architecture}/portal.appinstaller`;

export const packagePath = ({ architecture, fileName }: Pick<ReleasedPackage, 'architecture' | 'fileName'>): string =>
  `/download/windows/${architecture}/${fileName}`;

const hoursBetweenUpdateChecks = 12;

/** @param origin of the host that serves the installer; Windows checks there for updates */
export function writeAppInstaller(released: ReleasedPackage, origin: string): string {
  const { name, publisher, version, architecture } = released;
  const installer = writeAttributes({ Version: version, Uri: `${origin}${installerPath(architecture)}` });
  const mainPackage = writeAttributes({
    Name: name,
    Publisher: publisher,
    Version: version,
    ProcessorArchitecture: architecture,
    Uri: `${origin}${packagePath(released)}`,
  });
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<AppInstaller xmlns="http://schemas.microsoft.com/appx/appinstaller/2018" ${installer}>`,
    `  <MainPackage ${mainPackage}/>`,
    '  <UpdateSettings>',
    `    <OnLaunch HoursBetweenUpdateChecks="${hoursBetweenUpdateChecks}"/>`,
    '    <AutomaticBackgroundTask/>',
    '  </UpdateSettings>',
    '</AppInstaller>',
    '',
  ].join('\n');
}

/** XML has the escapes of HTML. */
const writeAttributes = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeHtml(value)}"`)
    .join(' ');
