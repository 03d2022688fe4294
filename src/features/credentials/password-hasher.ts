// Hashes and verifies passwords with Argon2id (RFC 9106) at OWASP's minimum parameters. The number of concurrent hashes is
// bounded.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import PQueue from 'p-queue';
import { Problem } from '../../lib/problem.ts';

const argon2Async = promisify(argon2);

const argon2Parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const saltBytes = 16;

// Two at a time leave threads of the pool for other work. If the queue is full, a login is refused rather than delayed.
const maxConcurrentHashes = 2;
const maxQueuedHashes = 100;

export type PasswordHasher = {
  /** A PHC string: https://github.com/P-H-C/phc-string-format. */
  hash(password: string, salt?: Buffer): Promise<string>;
  /** Takes the same time with and without a hash, so that it does not show whether a user exists. */
  verify(password: string, phc: string | undefined): Promise<boolean>;
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

const toUnpaddedBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

export function createPasswordHasher(): PasswordHasher {
  const queue = new PQueue({ concurrency: maxConcurrentHashes });
  const computeTag = (
    message: string,
    { memory, passes, parallelism, salt, tagLength }: Omit<ParsedPasswordHash, 'tag'> & { tagLength: number },
  ): Promise<Buffer> => {
    if (queue.size >= maxQueuedHashes) throw new Problem('login-busy');
    return queue.add(() => argon2Async('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength }));
  };
  // The password of an unknown user is compared with this.
  const decoyHash: ParsedPasswordHash = {
    ...argon2Parameters,
    salt: randomBytes(saltBytes),
    tag: randomBytes(argon2Parameters.tagLength),
  };
  return {
    hash: async (password, salt = randomBytes(saltBytes)) => {
      const tag = await computeTag(password, { ...argon2Parameters, salt });
      const { memory, passes, parallelism } = argon2Parameters;
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`;
    },
    verify: async (password, phc) => {
      const expected = phc === undefined ? decoyHash : parsePasswordHash(phc);
      const tag = await computeTag(password, { ...expected, tagLength: expected.tag.length });
      return timingSafeEqual(tag, expected.tag) && phc !== undefined;
    },
  };
}
