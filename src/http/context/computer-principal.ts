// The principal of a request to the Equipment API: a computer, identified by its key. A feature provides it.

import type { Environment } from '../../permissions/scope.ts';

export type ComputerPrincipal = {
  readonly bankId: number;
  readonly computerId: number;
  /** The name by which units name their computer. */
  readonly name: string;
  /** SHA-256 of the key, in hexadecimal digits. */
  readonly keyHash: string;
  readonly environment: Environment;
  /** The version of the outbox when the computer enrolled: what is older, it gets by a snapshot. */
  readonly desiredFrom: number;
};

export type FindComputerInput = {
  readonly tenant: string;
  readonly environment: Environment;
  readonly key: string;
  /** The time of the request, MS2000. */
  readonly now: number;
};

export type ComputerProvider = {
  /** Undefined if the key is not valid here. */
  findComputer(input: FindComputerInput): Promise<ComputerPrincipal | undefined>;
};
