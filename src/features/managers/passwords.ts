// Argon2id (RFC 9106) at OWASP's minimum parameters, on the crypto thread pool, a bounded number at a time.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import PQueue from 'p-queue';
import { Problem } from '../../lib/problem.ts';

const derive = promisify(argon2);

const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const saltBytes = 16;

// Two at once leave the thread pool room for other work; beyond the queue a login is better refused than kept waiting.
const concurrency = 2;
const maxQueued = 100;

export type Passwords = {
  /** A PHC string: https://github.com/P-H-C/phc-string-format. */
  hash(password: string, salt?: Buffer): Promise<string>;
  /** Costs the same whether there is a hash to compare with or not. */
  verify(password: string, phc: string | undefined): Promise<boolean>;
};

type Parsed = {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly tag: Buffer;
};

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parse(phc: string): Parsed {
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

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

export function argon2Passwords(): Passwords {
  const queue = new PQueue({ concurrency });
  const run = (
    message: string,
    { memory, passes, parallelism, salt, tagLength }: Omit<Parsed, 'tag'> & { tagLength: number },
  ): Promise<Buffer> => {
    if (queue.size >= maxQueued) throw new Problem('login-busy');
    return queue.add(() => derive('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength }));
  };
  // What an unknown user's password is compared with.
  const nobody: Parsed = { ...parameters, salt: randomBytes(saltBytes), tag: randomBytes(parameters.tagLength) };
  return {
    hash: async (password, salt = randomBytes(saltBytes)) => {
      const tag = await run(password, { ...parameters, salt });
      const { memory, passes, parallelism } = parameters;
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
    },
    verify: async (password, phc) => {
      const expected = phc === undefined ? nobody : parse(phc);
      const tag = await run(password, { ...expected, tagLength: expected.tag.length });
      return timingSafeEqual(tag, expected.tag) && phc !== undefined;
    },
  };
}
