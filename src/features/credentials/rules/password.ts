// Decides which texts are the same password, and how long a password is.

/** One form for what different keyboards send for the same characters: NFC, as in OpaqueString (RFC 8265, 4.2). */
export const normalizePassword = (password: string): string => password.normalize('NFC');

/** In code points of the normalized form. */
export const countPasswordLength = (password: string): number => Array.from(normalizePassword(password)).length;
