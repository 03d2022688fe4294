// Writes the signature of a package as SignTool does: PKCS#7 SignedData of the digests of its parts.

import { createHash, sign, type X509Certificate } from 'node:crypto';
import { context0, integer, nothing, objectId, octets, sequence, set, utcTime } from './der-writer.ts';
import type { Signer } from './signer.ts';

export type SignatureOptions = {
  /** Besides the signer's own. */
  readonly certificates?: readonly X509Certificate[];
  /** Changes the signed content after its digest was taken. */
  readonly changeContent?: (content: Buffer) => Buffer;
  /** Signs in place of the signer's key. */
  readonly otherKey?: Signer;
};

const sha256 = sequence(objectId('2.16.840.1.101.3.4.2.1'), nothing);
const indirectData = objectId('1.3.6.1.4.1.311.2.1.4');
/** The number by which Windows knows the format of packages. */
const packageFormat = Buffer.from('4bdfc50a07cee24db76e23c839a09fd1', 'hex');

/** @param digests four letters and 32 bytes for each part, in order */
export function writeSignature(
  digests: readonly (readonly [part: string, digest: Buffer])[],
  signer: Signer,
  { certificates = [], changeContent = (content) => content, otherKey }: SignatureOptions = {},
): Buffer {
  const list = Buffer.concat([
    Buffer.from('APPX'),
    ...digests.flatMap(([part, digest]) => [Buffer.from(part), digest]),
  ]);
  const zeros = Array.from({ length: 5 }, () => integer(0));
  const subjectInfo = sequence(integer(0x0101_0000), octets(packageFormat), ...zeros);
  const content = [sequence(objectId('1.3.6.1.4.1.311.2.1.30'), subjectInfo), sequence(sha256, octets(list))];
  const digest = createHash('sha256').update(Buffer.concat(content)).digest();
  const attributes = [
    sequence(objectId('1.2.840.113549.1.9.3'), set(indirectData)),
    sequence(objectId('1.2.840.113549.1.9.5'), set(utcTime(new Date('2026-11-20T08:00:00Z')))),
    sequence(objectId('1.2.840.113549.1.9.4'), set(octets(digest))),
  ].toSorted(Buffer.compare);
  const signerInfo = sequence(
    integer(1),
    sequence(signer.issuer, signer.serial),
    sha256,
    context0(...attributes),
    sequence(objectId('1.2.840.113549.1.1.1'), nothing),
    octets(sign('sha256', set(...attributes), (otherKey ?? signer).privateKey)),
  );
  const signedData = sequence(
    integer(1),
    set(sha256),
    sequence(indirectData, context0(changeContent(sequence(...content)))),
    context0(...[signer.certificate, ...certificates].map(({ raw }) => Buffer.from(raw))),
    set(signerInfo),
  );
  return Buffer.concat([Buffer.from('PKCX'), sequence(objectId('1.2.840.113549.1.7.2'), context0(signedData))]);
}
