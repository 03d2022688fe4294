// Parses DER, the encoding of certificates and signatures (ITU-T X.690), as far as these need it: definite lengths, and
// tags of one byte. pkijs, with four packages that it needs, would save half of the lines, but reads BER: it accepts bytes
// after the end, and lengths that do not add up.

import { PackageFault } from './package-fault.ts';

export type DerElement = {
  readonly tag: number;
  readonly content: Buffer;
  /** With tag and length. */
  readonly bytes: Buffer;
};

export const derTags = {
  integer: 0x02,
  octetString: 0x04,
  objectIdentifier: 0x06,
  sequence: 0x30,
  set: 0x31,
  /** Context-specific and constructed. */
  context0: 0xa0,
} as const;

const maxChildren = 10_000;

/** Parses bytes that must be exactly one element. Throws PackageFault. */
export function readDer(bytes: Buffer): DerElement {
  const [element, ...others] = readElements(bytes);
  if (element === undefined || others.length > 0) throw new PackageFault('the signature is damaged: it is not DER');
  return element;
}

/** The elements inside a constructed one. */
export function childrenOf({ content }: DerElement): readonly DerElement[] {
  return readElements(content);
}

/** The element at this index, which must have the tag. */
export function requireElement(elements: readonly DerElement[], index: number, tag: number): DerElement {
  const element = elements[index];
  if (element?.tag !== tag) throw new PackageFault('the signature is damaged: a part is missing or of another type');
  return element;
}

function readElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const element = readElement(bytes.subarray(offset));
    elements.push(element);
    offset += element.bytes.length;
    if (elements.length > maxChildren) throw new PackageFault('the signature has too many parts');
  }
  return elements;
}

function readElement(rest: Buffer): DerElement {
  const [tag = 0, first = 0] = rest;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const headerLength = 2 + lengthBytes;
  const isReadable = (tag & 0x1f) !== 0x1f && first !== 0x80 && lengthBytes <= 4 && rest.length >= headerLength;
  if (!isReadable) throw new PackageFault('the signature is damaged: it is not DER');
  const length = lengthBytes === 0 ? first : rest.readUIntBE(2, lengthBytes);
  if (rest.length < headerLength + length) throw new PackageFault('the signature is cut short');
  return {
    tag,
    content: rest.subarray(headerLength, headerLength + length),
    bytes: rest.subarray(0, headerLength + length),
  };
}

/** `1.2.840.113549.1.7.2`. */
export function readObjectIdentifier({ content }: DerElement): string {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    numbers.push(value);
    value = 0;
  }
  const [first = 0, ...rest] = numbers;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...rest].join('.');
}

const stringEncodings: Readonly<Record<number, string>> = {
  0x0c: 'utf-8',
  0x13: 'latin1',
  0x14: 'latin1',
  0x16: 'latin1',
  0x1e: 'utf-16be',
};

/** A text of any of the string types that names use. */
export function readText({ tag, content }: DerElement): string {
  const encoding = stringEncodings[tag];
  if (encoding === undefined) throw new PackageFault('a name in the certificate is of an unknown type');
  return new TextDecoder(encoding).decode(content);
}
