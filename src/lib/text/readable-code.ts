// Writes random bytes as a code that people can read aloud and type: `7K3M-9XQP-2RTW`.

/** Letters and digits that look alike are left out. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const groupLength = 4;

/** Each byte becomes a character, which has five of its bits. */
export const formatReadableCode = (random: Uint8Array): string =>
  Array.from(
    random,
    (byte, index) => (index > 0 && index % groupLength === 0 ? '-' : '') + alphabet[byte % alphabet.length],
  ).join('');
