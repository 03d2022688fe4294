// Makes packages of a Windows app (.msix) with a block map and a signature, whole or broken in one place.

import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../src/lib/text/escape-html.ts';
import type { Signer } from './signer.ts';
import { writeSignature, type SignatureOptions } from './write-signature.ts';
import { writeDirectory, writeZipFile, type WrittenFile, type ZipFile, type ZipOptions } from './write-zip.ts';

export type PackageOptions = ZipOptions &
  SignatureOptions & {
    readonly name?: string;
    readonly publisher?: string;
    readonly version?: string;
    readonly architecture?: string;
    readonly displayName?: string;
    readonly files?: readonly ZipFile[];
    readonly changeManifest?: (xml: string) => string;
    readonly changeBlockMap?: (xml: string) => string;
    readonly changeContentTypes?: (xml: string) => string;
    /** Of all files but the signature, after the block map was made of them. */
    readonly changeFiles?: (files: readonly ZipFile[]) => readonly ZipFile[];
    readonly changeDigests?: (digests: [part: string, digest: Buffer][]) => [part: string, digest: Buffer][];
    /** Files behind the signature. */
    readonly filesAfterSignature?: readonly ZipFile[];
    readonly signatureName?: string;
    readonly changeSignature?: (signature: Buffer) => Buffer;
  };

export const packageName = 'Example.Portal';
export const packageVersion = '1.2.3.0';

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** Not signed: neither the content types nor the archive have a signature. */
export const buildUnsignedPackage = (options: PackageOptions): Buffer => {
  const { local, records } = writeFiles([...listFiles(options, contentTypes.replace(signatureType, ''))], options);
  return Buffer.concat([local, writeDirectory(records, local.length, options)]);
};

export function buildPackage(signer: Signer, options: PackageOptions = {}): Buffer {
  const files = listFiles(options, contentTypes);
  const { local, records } = writeFiles(files, options);
  const contentOf = (name: string): Buffer => files.find((file) => file.name === name)?.content ?? Buffer.alloc(0);
  const digests: [part: string, digest: Buffer][] = [
    ['AXPC', sha256(local)],
    ['AXCD', sha256(writeDirectory(records, local.length, options))],
    ['AXCT', sha256(contentOf('[Content_Types].xml'))],
    ['AXBM', sha256(contentOf('AppxBlockMap.xml'))],
  ];
  const { changeDigests = (same) => same, changeSignature = (same: Buffer) => same } = options;
  const signature: ZipFile = {
    name: options.signatureName ?? 'AppxSignature.p7x',
    content: changeSignature(writeSignature(changeDigests(digests), signer, options)),
  };
  const last = writeFiles([signature, ...(options.filesAfterSignature ?? [])], options, local.length);
  const end = writeDirectory([...records, ...last.records], local.length + last.local.length, options);
  return Buffer.concat([local, last.local, end]);
}

function writeFiles(
  files: readonly ZipFile[],
  options: ZipOptions,
  from = 0,
): { readonly local: Buffer; readonly records: Buffer[] } {
  const written: WrittenFile[] = [];
  let offset = from;
  for (const file of files) {
    const next = writeZipFile(file, offset, options);
    written.push(next);
    offset += next.local.length;
  }
  return { local: Buffer.concat(written.map(({ local }) => local)), records: written.map(({ record }) => record) };
}

function listFiles(options: PackageOptions, types: string): readonly ZipFile[] {
  const { changeContentTypes = (xml) => xml, changeBlockMap = (xml) => xml, changeFiles = (same) => same } = options;
  const payload = [
    ...(options.files ?? sampleFiles),
    { name: 'AppxManifest.xml', content: Buffer.from(writeManifest(options)) },
  ];
  return changeFiles([
    ...payload,
    { name: 'AppxBlockMap.xml', content: Buffer.from(changeBlockMap(writeBlockMap(payload, options))) },
    { name: '[Content_Types].xml', content: Buffer.from(changeContentTypes(types)) },
  ]);
}

/** Of several blocks, of none, stored, and with a name that is percent-encoded in the archive. */
export const sampleFiles: readonly ZipFile[] = [
  { name: 'portal.exe', content: Buffer.alloc(150_000, 'The portal. ') },
  { name: 'Assets/Logo%20small.png', content: Buffer.alloc(70_000, 7), method: 'stored' },
  { name: 'Assets/empty.txt', content: Buffer.alloc(0), method: 'stored' },
];

const signatureType = '<Override PartName="/AppxSignature.p7x" ContentType="application/vnd.ms-appx.signature"/>';
const contentTypes =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="exe" ContentType="application/x-msdownload"/><Default Extension="png" ContentType="image/png"/>' +
  '<Default Extension="txt" ContentType="text/plain"/>' +
  '<Override PartName="/AppxManifest.xml" ContentType="application/vnd.ms-appx.manifest+xml"/>' +
  `<Override PartName="/AppxBlockMap.xml" ContentType="application/vnd.ms-appx.blockmap+xml"/>${signatureType}</Types>`;

function writeManifest(options: PackageOptions): string {
  const { name = packageName, publisher = 'CN=Example', version = packageVersion, architecture = 'x64' } = options;
  const { displayName = 'Example portal', changeManifest = (xml) => xml } = options;
  const identity = Object.entries({
    Name: name,
    Publisher: publisher,
    Version: version,
    ProcessorArchitecture: architecture,
  });
  const attributes = identity.map(([key, value]) => `${key}="${escapeHtml(value)}"`).join(' ');
  return changeManifest(
    '<?xml version="1.0" encoding="utf-8"?>\n' +
      '<Package xmlns="http://schemas.microsoft.com/appx/manifest/foundation/windows10" ' +
      'xmlns:uap="http://schemas.microsoft.com/appx/manifest/uap/windows10" ' +
      'xmlns:rescap="http://schemas.microsoft.com/appx/manifest/foundation/windows10/restrictedcapabilities" ' +
      `IgnorableNamespaces="uap rescap"><Identity ${attributes}/>` +
      `<Properties><DisplayName>${escapeHtml(displayName)}</DisplayName>` +
      `<PublisherDisplayName>${escapeHtml(displayName)}</PublisherDisplayName><Logo>Assets\\Logo small.png</Logo></Properties>` +
      '<Dependencies><TargetDeviceFamily Name="Windows.Desktop" MinVersion="10.0.17763.0" MaxVersionTested="10.0.26100.0"/></Dependencies>' +
      '<Resources><Resource Language="en"/></Resources>' +
      '<Applications><Application Id="Portal" Executable="portal.exe" EntryPoint="Windows.FullTrustApplication">' +
      `<uap:VisualElements DisplayName="${escapeHtml(displayName)}" Description="${escapeHtml(displayName)}" ` +
      'BackgroundColor="transparent" Square150x150Logo="Assets\\Logo small.png" Square44x44Logo="Assets\\Logo small.png"/>' +
      '</Application></Applications><Capabilities><rescap:Capability Name="runFullTrust"/></Capabilities></Package>\n',
  );
}

function writeBlockMap(files: readonly ZipFile[], options: ZipOptions): string {
  const elements = files.map((file) => {
    const { blocks, headerSize } = writeZipFile(file, 0, options);
    const name = decodeURIComponent(file.name).replaceAll('/', '\\');
    const hashes = blocks.map((block, index) => {
      const hash = sha256(file.content.subarray(index * 65_536, (index + 1) * 65_536)).toString('base64');
      return `<Block Hash="${hash}"${file.method === 'stored' ? '' : ` Size="${block.length}"`}/>`;
    });
    return `<File Name="${escapeHtml(name)}" Size="${file.content.length}" LfhSize="${headerSize}">${hashes.join('')}</File>`;
  });
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<BlockMap ' +
    'xmlns="http://schemas.microsoft.com/appx/2010/blockmap" HashMethod="http://www.w3.org/2001/04/xmlenc#sha256">' +
    `${elements.join('')}</BlockMap>`
  );
}
