// Parses how the connections to MariaDB or MySQL are encrypted: the parameters of PORTAL_STORAGE, named as the clients of
// these servers name them.

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { MysqlTls } from './database/storage-address.ts';

const parameterNames = ['ssl-mode', 'ssl-ca', 'ssl-cert', 'ssl-key'] as const;
type Parameters = Partial<Record<(typeof parameterNames)[number], string>>;

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** What stands behind the `?`. Undefined where connections are not encrypted; throws an Error that says what it expects. */
export function parseMysqlTls(query: string): MysqlTls | undefined {
  const { 'ssl-mode': mode, ...files } = parseParameters(query);
  const hasFiles = Object.keys(files).length > 0;
  if (mode === 'DISABLED' || (mode === undefined && !hasFiles)) {
    if (hasFiles) throw new Error('expected no certificates with ssl-mode=DISABLED');
    return undefined;
  }
  // With PREFERRED, REQUIRED or VERIFY_CA another machine could answer in place of the server.
  if (mode !== undefined && mode !== 'VERIFY_IDENTITY')
    throw new Error('expected ssl-mode=VERIFY_IDENTITY or DISABLED: no other mode proves which server answers');
  if ((files['ssl-cert'] === undefined) !== (files['ssl-key'] === undefined))
    throw new Error('expected ssl-cert and ssl-key together: one of them is missing');
  const tls = {
    ...(files['ssl-ca'] === undefined ? {} : { ca: readCertificates(files['ssl-ca']) }),
    ...(files['ssl-cert'] === undefined ? {} : { cert: readFileSync(files['ssl-cert'], 'utf8') }),
    ...(files['ssl-key'] === undefined ? {} : { key: readFileSync(files['ssl-key'], 'utf8') }),
  };
  requireUsable(tls);
  return tls;
}

function parseParameters(query: string): Parameters {
  const found: Parameters = {};
  for (const part of query === '' ? [] : query.split('&')) {
    const [, given, value = ''] = /^([^=]+)=(.+)$/.exec(part) ?? [];
    const name = parameterNames.find((each) => each === given);
    if (name === undefined || found[name] !== undefined)
      throw new Error(`expected each of ${parameterNames.join(', ')} at most once, as name=value`);
    found[name] = decodeURIComponent(value);
  }
  return found;
}

/** OpenSSL would take a file without certificates, and then trust no server. */
function readCertificates(file: string): string {
  const text = readFileSync(file, 'utf8');
  const certificates = text.match(pemCertificate) ?? [];
  if (certificates.length === 0) throw new Error('expected certificates (PEM) in the file of ssl-ca');
  try {
    for (const each of certificates) void new X509Certificate(each);
  } catch (error) {
    throw new Error('expected valid certificates in the file of ssl-ca', { cause: error });
  }
  return text;
}

function requireUsable(tls: MysqlTls): void {
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new Error('expected a certificate and its private key (PEM) in the files of ssl-cert and ssl-key', {
      cause: error,
    });
  }
}
