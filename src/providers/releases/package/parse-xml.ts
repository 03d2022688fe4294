// Parses the XML of a package as a stream of elements. It must be well-formed UTF-8 with namespaces; document types,
// and with them entities, are refused.

import { SaxesParser } from 'saxes';
import { PackageFault } from './package-fault.ts';

export type XmlElement = {
  readonly name: string;
  readonly namespace: string;
  /** The attributes without a namespace. */
  readonly attributes: ReadonlyMap<string, string>;
  /** 0 for the root. */
  readonly depth: number;
};

const maxDepth = 64;

/** Throws PackageFault. */
export function parseXml(file: string, bytes: Buffer, onOpen: (element: XmlElement) => void): void {
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  parser.on('error', (error) => {
    throw new PackageFault(`${file} is not well-formed XML: ${error.message}`);
  });
  parser.on('doctype', () => {
    throw new PackageFault(`${file} has a document type, which is refused: it could define entities`);
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (depth >= maxDepth) throw new PackageFault(`${file} is nested too deeply`);
    const own = Object.values(attributes).filter((attribute) => attribute.uri === '');
    onOpen({
      name: local,
      namespace: uri,
      attributes: new Map(own.map((attribute) => [attribute.local, attribute.value])),
      depth,
    });
    depth += 1;
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.write(decodeUtf8(file, bytes)).close();
}

function decodeUtf8(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new PackageFault(`${file} is not UTF-8`);
  }
}
