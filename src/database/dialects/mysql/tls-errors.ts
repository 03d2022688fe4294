// Tells apart why a connection that was to be encrypted was not made.

export type TlsFailure = 'no-tls' | 'wrong-name' | 'untrusted' | 'no-handshake';

/** Undefined where the error is not one of TLS. */
export function classifyTlsError(error: unknown): TlsFailure | undefined {
  const { code, message, cert, library } = error as Partial<Record<'code' | 'message' | 'cert' | 'library', unknown>>;
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return 'no-tls';
  // mysql2 replaces the codes of Node by this one: https://nodejs.org/api/tls.html#x509-certificate-error-codes
  if (code !== 'HANDSHAKE_SSL_ERROR') return undefined;
  // Node adds the certificate whose names are others.
  if (cert !== undefined) return 'wrong-name';
  // A fault of the handshake itself names the library.
  return library === undefined && /\bcertificate\b/.test(String(message)) ? 'untrusted' : 'no-handshake';
}
