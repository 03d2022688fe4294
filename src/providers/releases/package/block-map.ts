// Reads the block map of a package, AppxBlockMap.xml: for each file the hashes of its blocks of 64 KiB.

import { PackageFault } from './package-fault.ts';
import { parseXml, type XmlElement } from './parse-xml.ts';

export type MappedFile = {
  /** The file name with backslashes. */
  readonly name: string;
  readonly size: number;
  /** The size of the file's header in the archive. */
  readonly headerSize: number;
  readonly blocks: readonly MappedBlock[];
};

type MappedBlock = {
  /** SHA-256 of the uncompressed bytes, in base64. */
  readonly hash: string;
  /** The compressed size; undefined if the file is stored uncompressed. */
  readonly compressedSize: number | undefined;
};

export const blockMapFile = 'AppxBlockMap.xml';
export const blockBytes = 65_536;

const blockMapNamespace = 'http://schemas.microsoft.com/appx/2010/blockmap';
const sha256Method = 'http://www.w3.org/2001/04/xmlenc#sha256';
const sha256Base64 = /^[A-Za-z0-9+/]{43}=$/;

/** Throws PackageFault. */
export function readBlockMap(bytes: Buffer): readonly MappedFile[] {
  const files: (MappedFile & { readonly blocks: MappedBlock[] })[] = [];
  parseXml(blockMapFile, bytes, (element) => {
    const { name, namespace, depth, attributes } = element;
    if (depth === 0) requireBlockMap(element);
    // Elements of other namespaces come from later versions of Windows.
    if (namespace !== blockMapNamespace || depth === 0) return;
    if (depth === 1 && name === 'File') files.push({ ...readFile(attributes), blocks: [] });
    else if (depth === 2 && name === 'Block') files.at(-1)?.blocks.push(readBlock(attributes));
    else throw new PackageFault(`${blockMapFile} has an element ${name} in a wrong place`);
  });
  return files;
}

function requireBlockMap({ name, namespace, attributes }: XmlElement): void {
  if (name !== 'BlockMap' || namespace !== blockMapNamespace)
    throw new PackageFault(`${blockMapFile} is not a block map`);
  if (attributes.get('HashMethod') !== sha256Method)
    throw new PackageFault(`the hashes of ${blockMapFile} are not SHA-256`);
}

function readFile(attributes: ReadonlyMap<string, string>): Omit<MappedFile, 'blocks'> {
  const name = attributes.get('Name') ?? '';
  if (name === '') throw new PackageFault(`${blockMapFile} has a file without a name`);
  return {
    name,
    size: readCount(attributes.get('Size'), `the size of ${name}`),
    headerSize: readCount(attributes.get('LfhSize'), `the header size of ${name}`),
  };
}

function readBlock(attributes: ReadonlyMap<string, string>): MappedBlock {
  const hash = attributes.get('Hash') ?? '';
  if (!sha256Base64.test(hash)) throw new PackageFault(`${blockMapFile} has a block whose hash is not SHA-256`);
  const size = attributes.get('Size');
  return { hash, compressedSize: size === undefined ? undefined : readCount(size, 'the size of a block') };
}

function readCount(text: string | undefined, of: string): number {
  if (text === undefined || !/^\d{1,15}$/.test(text))
    throw new PackageFault(`${blockMapFile} has no valid number for ${of}`);
  return Number(text);
}
