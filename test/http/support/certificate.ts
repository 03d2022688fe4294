// Makes a self-signed certificate (RFC 5280, 4.1) for a test's TLS listener: node:crypto signs, but creates no
// certificates.

import { generateKeyPairSync, sign } from 'node:crypto';

export type Certificate = { readonly cert: string; readonly key: string };

/** An EC certificate for `name`, valid from an hour ago until tomorrow. */
export function createSelfSignedCertificate(name: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name))))); // commonName
  const toBeSigned = sequence(
    der(0xa0, integer(2)), // version 3
    integer(1), // serial number
    algorithm,
    subject, // issuer
    sequence(utcTime(Date.now() - 3_600_000), utcTime(Date.now() + 86_400_000)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents);
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

/** `YYMMDDhhmmssZ`. */
const utcTime = (epochMs: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(epochMs).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));
