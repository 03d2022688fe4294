// Hashes and verifies passwords, and other secrets that could be guessed, with Argon2id (RFC 9106) at OWASP's minimum
// parameters. The number of concurrent hashes is bounded, and callers take turns.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { FairQueue, type Turn } from '../../../lib/queues/fair-queue.ts';
import { Problem } from '../../../lib/problem.ts';
import { normalizePassword } from '../rules/password.ts';

const argon2Async = promisify(argon2);

/** OWASP's minimum. */
const argon2Parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const saltBytes = 16;

// Two at a time leave threads of the pool for other work. If too many wait, a login of the address with the most
// waiting logins is refused.
const maxConcurrentHashes = 2;
const maxQueuedHashes = 100;
/** Leaves time for the rest of the request. */
const defaultMaxWaitMs = 7000;

type PasswordHashOptions = {
  /** By the client's address; without one, by the tenant and the principal. */
  readonly turn?: Turn;
  readonly salt?: Buffer;
};

export type PasswordHasher = {
  /** A PHC string: https://github.com/P-H-C/phc-string-format. */
  hash(password: string, options?: PasswordHashOptions): Promise<string>;
  /** Takes the same time with and without a hash, so that it does not show whether a user exists. */
  verify(password: string, phc: string | undefined, turn?: Turn): Promise<boolean>;
  /** The bare tag of a secret: always the same for the same salt. */
  hashSecret(secret: string, salt: Buffer, turn: Turn): Promise<Buffer>;
};

type ParsedPasswordHash = {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly tag: Buffer;
};

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parsePasswordHash(phc: string): ParsedPasswordHash {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phcPattern.exec(phc) ?? [];
  if (memory === undefined) throw new Error('a stored password hash is not an argon2id PHC string');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

type TagParameters = Omit<ParsedPasswordHash, 'tag'> & { readonly tagLength: number };

const computeTag = (
  message: string,
  { memory, passes, parallelism, salt, tagLength }: TagParameters,
): Promise<Buffer> => argon2Async('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength });

/**
 * The tags of the normalized password and, where it differs, of the password as it was sent: earlier versions hashed
 * the latter. Both are always computed, so that the time depends only on what was sent.
 */
async function computeTags(password: string, parameters: TagParameters): Promise<Buffer[]> {
  const normalized = normalizePassword(password);
  const tag = await computeTag(normalized, parameters);
  return normalized === password ? [tag] : [tag, await computeTag(password, parameters)];
}

const toUnpaddedBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/**
 * New hashes, and that of an unknown user, use `parameters`. A call that waits for too long, or with too many others,
 * is refused with Problem `login-busy`.
 */
export function createPasswordHasher(parameters = argon2Parameters, maxWaitMs = defaultMaxWaitMs): PasswordHasher {
  const queue = new FairQueue({
    maxConcurrent: maxConcurrentHashes,
    maxWaiting: maxQueuedHashes,
    maxWaitMs,
    createRefusal: () => new Problem('login-busy'),
  });
  // The password of an unknown user is compared with this.
  const decoyHash: ParsedPasswordHash = {
    ...parameters,
    salt: randomBytes(saltBytes),
    tag: randomBytes(parameters.tagLength),
  };
  const hashSecret = (message: string, salt: Buffer, turn?: Turn): Promise<Buffer> =>
    queue.run(() => computeTag(message, { ...parameters, salt }), turn);
  return {
    hashSecret,
    hash: async (password, { turn, salt = randomBytes(saltBytes) } = {}) => {
      const tag = await hashSecret(normalizePassword(password), salt, turn);
      const { memory, passes, parallelism } = parameters;
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`;
    },
    verify: async (password, phc, turn) => {
      const expected = phc === undefined ? decoyHash : parsePasswordHash(phc);
      const tags = await queue.run(() => computeTags(password, { ...expected, tagLength: expected.tag.length }), turn);
      return tags.map((tag) => timingSafeEqual(tag, expected.tag)).includes(true) && phc !== undefined;
    },
  };
}
