// Reads the signature of a package, AppxSignature.p7x: four bytes, and a PKCS#7 SignedData (RFC 2315) whose content
// lists digests of the parts of the package. It checks that the certificate's key signed these digests; only Windows
// decides whether the certificate is trusted.

import { createHash, verify, X509Certificate, type KeyObject } from 'node:crypto';
import { childrenOf, derTags, readDer, readObjectIdentifier, requireElement, type DerElement } from './der.ts';
import { PackageFault } from './package-fault.ts';

export type PackageSignature = {
  /** The digests of the parts, each 32 bytes, by the four-letter name of the part. */
  readonly digests: ReadonlyMap<string, Buffer>;
  /** The signer's certificate. */
  readonly certificate: X509Certificate;
  readonly subject: DerElement;
  /** All certificates in the signature. */
  readonly certificates: readonly X509Certificate[];
};

export const signatureFile = 'AppxSignature.p7x';
export const maxSignatureBytes = 2 * 1024 * 1024;

const magic = Buffer.from('PKCX');
const objectIds = {
  signedData: '1.2.840.113549.1.7.2',
  indirectData: '1.3.6.1.4.1.311.2.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
} as const;

const hashNames: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Throws PackageFault if the signature is damaged, or not made with the key of its certificate. */
export function readSignature(bytes: Buffer): PackageSignature {
  if (bytes.length < 5 || bytes.length > maxSignatureBytes || !bytes.subarray(0, 4).equals(magic))
    throw new PackageFault(`${signatureFile} is not the signature of a package`);
  const contentInfo = childrenOf(requireElement([readDer(bytes.subarray(magic.length))], 0, derTags.sequence));
  requireObjectId(contentInfo, objectIds.signedData);
  const signedData = childrenOf(
    requireElement(childrenOf(requireElement(contentInfo, 1, derTags.context0)), 0, derTags.sequence),
  );
  const content = readContent(requireElement(signedData, 2, derTags.sequence));
  const certificates = readCertificates(requireElement(signedData, 3, derTags.context0));
  const signers = childrenOf(signedData.at(-1) ?? requireElement([], 0, derTags.set));
  if (signers.length !== 1) throw new PackageFault(`the package has ${signers.length} signatures; it must have one`);
  const signer = childrenOf(requireElement(signers, 0, derTags.sequence));
  const certificate = findSigner(signer, certificates);
  checkSignedAttributes(signer, content, readPublicKey(certificate));
  return {
    digests: readDigests(content),
    certificate,
    subject: requireElement(tbsFieldsOf(certificate.raw), 4, derTags.sequence),
    certificates,
  };
}

function requireObjectId(elements: readonly DerElement[], expected: string): void {
  if (readObjectIdentifier(requireElement(elements, 0, derTags.objectIdentifier)) !== expected)
    throw new PackageFault('the signature is of another kind than that of a package');
}

/** The signed content: SpcIndirectDataContent. */
function readContent(encapsulated: DerElement): DerElement {
  const parts = childrenOf(encapsulated);
  requireObjectId(parts, objectIds.indirectData);
  return requireElement(childrenOf(requireElement(parts, 1, derTags.context0)), 0, derTags.sequence);
}

function readCertificates(set: DerElement): X509Certificate[] {
  return childrenOf(set).map(({ bytes }) => {
    try {
      return new X509Certificate(bytes);
    } catch {
      throw new PackageFault('a certificate in the signature is damaged');
    }
  });
}

function readPublicKey(certificate: X509Certificate): KeyObject {
  try {
    return certificate.publicKey;
  } catch {
    throw new PackageFault('the certificate has a key that is damaged or of an unknown type');
  }
}

/** Whether the issuer has signed the certificate: a key of an unknown type has signed nothing. */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/** Serial number, algorithm, issuer, validity, subject: without the version before them, which is optional. */
function tbsFieldsOf(certificate: Buffer): readonly DerElement[] {
  const fields = childrenOf(requireElement(childrenOf(readDer(certificate)), 0, derTags.sequence));
  return fields[0]?.tag === derTags.context0 ? fields.slice(1) : fields;
}

/** The certificate that the signer names by issuer and serial number. */
function findSigner(signer: readonly DerElement[], certificates: readonly X509Certificate[]): X509Certificate {
  const [issuer, serial] = childrenOf(requireElement(signer, 1, derTags.sequence));
  const found = certificates.find(({ raw }) => {
    const fields = tbsFieldsOf(raw);
    return fields[0]?.bytes.equals(serial?.bytes ?? raw) && fields[2]?.bytes.equals(issuer?.bytes ?? raw);
  });
  if (found === undefined) throw new PackageFault('the signature does not contain the signer’s certificate');
  return found;
}

/** The attributes must name the content type and the digest, and the signature must be theirs (RFC 2315, 9.3). */
function checkSignedAttributes(signer: readonly DerElement[], content: DerElement, key: KeyObject): void {
  const hashName = readHashName(requireElement(signer, 2, derTags.sequence));
  const attributes = requireElement(signer, 3, derTags.context0);
  const values = new Map(
    childrenOf(attributes).map((attribute) => {
      const parts = childrenOf(attribute);
      const [value] = childrenOf(requireElement(parts, 1, derTags.set));
      return [readObjectIdentifier(requireElement(parts, 0, derTags.objectIdentifier)), value];
    }),
  );
  const contentType = values.get(objectIds.contentType);
  const digest = createHash(hashName).update(content.content).digest();
  if (contentType === undefined || readObjectIdentifier(contentType) !== objectIds.indirectData)
    throw new PackageFault('the signature does not say what it signs');
  if (values.get(objectIds.messageDigest)?.content.equals(digest) !== true)
    throw new PackageFault('the signature is of other content: the list of digests was changed after it was signed');
  // The signed bytes are the attributes encoded as a plain SET.
  const signed = Buffer.from(attributes.bytes);
  signed[0] = derTags.set;
  if (!isSignedBy(key, hashName, signed, requireElement(signer, 5, derTags.octetString).content))
    throw new PackageFault('the signature was not made with the key of its certificate');
}

function isSignedBy(key: KeyObject, hashName: string, signed: Buffer, signature: Buffer): boolean {
  try {
    return verify(hashName, signed, key, signature);
  } catch {
    return false;
  }
}

function readHashName(algorithm: DerElement): string {
  const id = readObjectIdentifier(requireElement(childrenOf(algorithm), 0, derTags.objectIdentifier));
  const name = hashNames[id];
  if (name === undefined) throw new PackageFault('the signature uses another hash than SHA-256, SHA-384 or SHA-512');
  return name;
}

const digestBytes = 32;

/** Parses `APPX`, followed by four letters and 32 bytes for each part. */
function readDigests(content: DerElement): ReadonlyMap<string, Buffer> {
  const digestInfo = childrenOf(requireElement(childrenOf(content), 1, derTags.sequence));
  if (readHashName(requireElement(digestInfo, 0, derTags.sequence)) !== 'sha256')
    throw new PackageFault('the digests of the parts are not SHA-256');
  const list = requireElement(digestInfo, 1, derTags.octetString).content;
  const step = 4 + digestBytes;
  if (list.toString('latin1', 0, 4) !== 'APPX' || (list.length - 4) % step !== 0)
    throw new PackageFault('the signature holds no digests of the parts of a package');
  const digests = new Map<string, Buffer>();
  for (let index = 4; index < list.length; index += step) {
    const part = list.toString('latin1', index, index + 4);
    if (digests.has(part)) throw new PackageFault(`the signature has two digests ${part}`);
    digests.set(part, list.subarray(index + 4, index + step));
  }
  return digests;
}
