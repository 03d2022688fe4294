// Hashes and verifies passwords with Argon2id (RFC 9106) at OWASP's minimum parameters. The number of concurrent hashes is
// bounded, and callers take turns.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { FairQueue, type Turn } from '../../lib/fair-queue.ts';
import { Problem } from '../../lib/problem.ts';
import { normalizePassword } from './rules/password.ts';

const argon2Async = promisify(argon2);

/** OWASP's minimum. */
const argon2Parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const saltBytes = 16;

// Two at a time leave threads of the pool for other work. If too many wait, logins are refused rather than delayed: those
// of the address that has the most waiting.
const maxConcurrentHashes = 2;
const maxQueuedHashes = 100;
/** What is left of the time of a request is for what comes after its hash. */
const defaultMaxWaitMs = 7000;

export type HashOptions = {
  /** For whom. */
  readonly turn?: Turn;
  readonly salt?: Buffer;
};

export type PasswordHasher = {
  /** A PHC string: https://github.com/P-H-C/phc-string-format. */
  hash(password: string, options?: HashOptions): Promise<string>;
  /** Takes the same time with and without a hash, so that it does not show whether a user exists. */
  verify(password: string, phc: string | undefined, turn?: Turn): Promise<boolean>;
};

// Of whoever uses no address.
const commandTurn: Turn = { key: '' };

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
 * The tags of the normalized password and, where it differs, of the password as it was sent: hashes of earlier versions
 * were made from that. Both are always computed, so that the time depends on nothing but what was sent.
 */
async function computeTags(password: string, parameters: TagParameters): Promise<Buffer[]> {
  const normalized = normalizePassword(password);
  const tag = await computeTag(normalized, parameters);
  return normalized === password ? [tag] : [tag, await computeTag(password, parameters)];
}

const toUnpaddedBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/**
 * `parameters` are what new hashes, and that of an unknown user, are made with. What waits for too long, or with too many
 * others, is refused with Problem `login-busy`.
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
  return {
    hash: async (password, { turn = commandTurn, salt = randomBytes(saltBytes) } = {}) => {
      const message = normalizePassword(password);
      const tag = await queue.run(turn, () => computeTag(message, { ...parameters, salt }));
      const { memory, passes, parallelism } = parameters;
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`;
    },
    verify: async (password, phc, turn = commandTurn) => {
      const expected = phc === undefined ? decoyHash : parsePasswordHash(phc);
      const tags = await queue.run(turn, () => computeTags(password, { ...expected, tagLength: expected.tag.length }));
      return tags.map((tag) => timingSafeEqual(tag, expected.tag)).includes(true) && phc !== undefined;
    },
  };
}
