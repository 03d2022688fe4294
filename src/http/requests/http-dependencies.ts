// The parts of the service that the HTTP layer needs to run operations.

import type { Databases } from '../../database/databases.ts';
import type { Turn } from '../../lib/queues/fair-queue.ts';
import type { ComputerProvider } from '../context/computer-principal.ts';
import type { PrincipalProvider, ServiceProvider } from '../context/principal.ts';
import type { RateLimiter } from '../limits/rate-limit.ts';
import type { CursorKeys } from '../pagination/cursor-keys.ts';

/** A slow hash for texts that could otherwise be guessed. It is always the same for the same salt. */
export type HashSecret = (secret: string, salt: Buffer, turn: Turn) => Promise<Buffer>;

export type HttpDependencies = {
  readonly databases: Databases;
  readonly principalProvider: PrincipalProvider;
  /** Service keys are accepted only if it is there. */
  readonly serviceProvider?: ServiceProvider;
  /** Keys of computers are accepted only if it is there. */
  readonly computerProvider?: ComputerProvider;
  readonly limiter: RateLimiter;
  readonly hashSecret: HashSecret;
};

/** What else requests need, one of each for the whole application. */
export type OperationDependencies = HttpDependencies & { readonly cursorKeys: CursorKeys };
