// Decides which texts are the same password, and how long a password is. Names that of the demo, and the hash
// that no password has.

// OWASP ASVS 5.0, 6.2.1 and 6.2.9.
export const minPasswordLength = 8;
export const maxPasswordLength = 128;

/** One form for what different keyboards send for the same characters: NFC, as in OpaqueString (RFC 8265, 4.2). */
export const normalizePassword = (password: string): string => password.normalize('NFC');

/** In code points of the normalized form. */
export const countPasswordLength = (password: string): number => Array.from(normalizePassword(password)).length;

/** The form in which passwords are compared with lists: capitals protect little. */
export const foldPassword = (password: string): string => normalizePassword(password).toLowerCase();

/** Everybody knows it, so it is accepted only where the service runs with demo data. */
export const demoPassword = 'demo-Password-1';

const zeros = (octets: number): string => Buffer.alloc(octets).toString('base64').replaceAll('=', '');

export const noPasswordHash = `$argon2id$v=19$m=19456,t=2,p=1$${zeros(16)}$${zeros(32)}`;
