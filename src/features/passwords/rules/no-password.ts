// What is stored of somebody who has no password yet. It has the form and the cost of a real hash, so that a login takes
// as long as any other, and is that of no password that anybody can find.

const zeros = (octets: number): string => Buffer.alloc(octets).toString('base64').replaceAll('=', '');

export const noPasswordHash = `$argon2id$v=19$m=19456,t=2,p=1$${zeros(16)}$${zeros(32)}`;
