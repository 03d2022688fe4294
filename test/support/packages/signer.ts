// A certificate for signing code, and its key: issued by itself, or by another one. Keys live as long as the process.

import { generateKeyPairSync, randomBytes, sign, X509Certificate, type KeyObject } from 'node:crypto';
import { integer, nothing, objectId, octets, sequence, set, utcTime, utf8, writeDer } from './der-writer.ts';

export type Signer = {
  readonly certificate: X509Certificate;
  readonly privateKey: KeyObject;
  /** As they stand in the certificate. */
  readonly issuer: Buffer;
  readonly serial: Buffer;
  readonly subject: Buffer;
};

/** Types of attributes and their values, in the order of the certificate. */
export type SubjectAttributes = readonly (readonly [type: string, value: string])[];

export const commonName = '2.5.4.3';

const sha256WithRsa = sequence(objectId('1.2.840.113549.1.1.11'), nothing);

const encodeName = (attributes: SubjectAttributes): Buffer =>
  sequence(...attributes.map(([type, value]) => set(sequence(objectId(type), utf8(value)))));

export function createSigner(attributes: SubjectAttributes, issuedBy?: Signer): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const subject = encodeName(attributes);
  const issuer = issuedBy?.subject ?? subject;
  const serial = integer(Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const basicConstraints = extension('2.5.29.19', sequence(writeDer(0x01, Buffer.from([0xff]))));
  const codeSigning = extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.3')));
  const toBeSigned = sequence(
    writeDer(0xa0, integer(2)),
    serial,
    sha256WithRsa,
    issuer,
    sequence(utcTime(new Date('2026-01-01T00:00:00Z')), utcTime(new Date('2046-01-01T00:00:00Z'))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    writeDer(0xa3, sequence(basicConstraints, codeSigning)),
  );
  const signature = sign('sha256', toBeSigned, issuedBy?.privateKey ?? privateKey);
  const bits = writeDer(0x03, Buffer.alloc(1), signature);
  return {
    certificate: new X509Certificate(sequence(toBeSigned, sha256WithRsa, bits)),
    privateKey,
    issuer,
    serial,
    subject,
  };
}

const extension = (id: string, value: Buffer): Buffer => sequence(objectId(id), octets(value));
