// Makes certificates (RFC 5280, 4.1) for the TLS listeners of tests, self-signed or of an authority: node:crypto signs, but
// creates no certificates.

import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';

export type Certificate = { readonly cert: string; readonly key: string };

/** An EC certificate for `name`, valid from an hour ago until tomorrow. */
export function createSelfSignedCertificate(name: string): Certificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return issueCertificate({ subject: name, ...keys, issuer: name, issuerKey: keys.privateKey });
}

export type CertificateAuthority = {
  /** Its own certificate. */
  readonly cert: string;
  /** A certificate for these host names and addresses, of IPv4. */
  issue(names: readonly string[], validFromMs?: number): Certificate;
};

export function createCertificateAuthority(issuer: string): CertificateAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signing = { issuer, issuerKey: keys.privateKey };
  const { cert } = issueCertificate({ subject: issuer, ...keys, ...signing, extension: authorityExtension });
  return {
    cert,
    issue: (names, validFromMs) =>
      issueCertificate({
        subject: names.join(' '),
        ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
        ...signing,
        extension: nameExtension(names),
        ...(validFromMs === undefined ? {} : { validFromMs }),
      }),
  };
}

type CertificateContent = {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly issuer: string;
  readonly issuerKey: KeyObject;
  readonly extension?: Buffer;
  /** Epoch milliseconds; it is valid for 25 hours. */
  readonly validFromMs?: number;
};

function issueCertificate({
  subject,
  publicKey,
  privateKey,
  issuer,
  issuerKey,
  ...more
}: CertificateContent): Certificate {
  const { extension, validFromMs = Date.now() - hourMs } = more;
  const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const toBeSigned = sequence(
    der(0xa0, integer(2)), // version 3
    integer(1), // serial number
    algorithm,
    commonName(issuer),
    sequence(utcTime(validFromMs), utcTime(validFromMs + 25 * hourMs)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extension === undefined ? [] : [der(0xa3, sequence(extension))]),
  );
  const signature = sign('sha256', toBeSigned, issuerKey);
  const certificate = sequence(toBeSigned, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}

const hourMs = 3_600_000;

const commonName = (name: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents);
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

/** basicConstraints: it may issue certificates. */
const authorityExtension = sequence(
  oid('551d13'),
  der(0x01, Buffer.from([0xff])), // critical
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
);

/** subjectAltName. */
function nameExtension(names: readonly string[]): Buffer {
  const general = names.map((name) =>
    isIP(name) === 4 ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
  );
  return sequence(oid('551d11'), der(0x04, sequence(...general)));
}

/** `YYMMDDhhmmssZ`. */
const utcTime = (epochMs: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(epochMs).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));
