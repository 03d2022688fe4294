// Compares X.500 names: the publisher in the manifest, and the subject of a certificate.

import { childrenOf, derTags, readObjectIdentifier, readText, requireElement, type DerElement } from './der.ts';
import { PackageFault } from './package-fault.ts';

/** An attribute: its type as an object identifier, and its value. */
type NameAttribute = { readonly type: string; readonly value: string };

const types: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  SERIALNUMBER: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  S: '2.5.4.8',
  ST: '2.5.4.8',
  STREET: '2.5.4.9',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  T: '2.5.4.12',
  TITLE: '2.5.4.12',
  POSTALCODE: '2.5.4.17',
  G: '2.5.4.42',
  GN: '2.5.4.42',
  I: '2.5.4.43',
  DC: '0.9.2342.19200300.100.1.25',
  E: '1.2.840.113549.1.9.1',
  EMAIL: '1.2.840.113549.1.9.1',
};

/** The attributes of a certificate's name, in its order. */
function readCertificateName(name: DerElement): NameAttribute[] {
  return childrenOf(name).flatMap((relativeName) =>
    childrenOf(relativeName).map((attribute) => {
      const parts = childrenOf(attribute);
      const [, value] = parts;
      if (value === undefined) throw new PackageFault('a name in the certificate is damaged');
      return { type: readObjectIdentifier(requireElement(parts, 0, derTags.objectIdentifier)), value: readText(value) };
    }),
  );
}

/** One attribute of a written name: its type, its value (plain, quoted or with backslashes), and the separator. */
const writtenAttribute =
  /^\s*([A-Za-z][A-Za-z0-9.]*|\d+(?:\.\d+)+)\s*=\s*(?:"((?:[^"]|"")*)"|((?:\\.|[^",+;\\=])*))\s*(,|;|$)/s;

/**
 * Parses a name such as `CN=Example, O="Example, Ltd.", C=DK`. Throws PackageFault if the name is not valid.
 * @peculiar/x509 cannot be used: that package loses what follows a doubled quotation mark, and what is before a
 * semicolon.
 */
function parseWrittenName(text: string): NameAttribute[] {
  const attributes: NameAttribute[] = [];
  for (let rest = text; rest !== '';) {
    const match = writtenAttribute.exec(rest);
    if (match === null) throw new PackageFault(`the publisher ${JSON.stringify(text)} is not an X.500 name`);
    const [all, key = '', quoted, plain = '', separator = ''] = match;
    const type = types[key.toUpperCase()] ?? key.replace(/^oid\./i, '');
    if (!/^\d/.test(type)) throw new PackageFault(`the publisher has an attribute of the unknown type ${key}`);
    const value = quoted?.replaceAll('""', '"') ?? plain.replaceAll(/\\(.)/gs, '$1').trim();
    attributes.push({ type, value });
    rest = rest.slice(all.length);
    if (separator !== '' && rest === '') throw new PackageFault('the publisher ends with a comma');
  }
  return attributes;
}

/**
 * Whether a written name equals the name of the certificate. A written name begins with the last attribute of the
 * certificate (RFC 4514, 2.1), as in Windows.
 */
export function isSameName(written: string, certificateName: DerElement): boolean {
  const ofCertificate = readCertificateName(certificateName).toReversed();
  const attributes = parseWrittenName(written);
  return (
    attributes.length === ofCertificate.length &&
    attributes.every(({ type, value }, index) => {
      const other = ofCertificate[index];
      return other?.type === type && other.value === value;
    })
  );
}
