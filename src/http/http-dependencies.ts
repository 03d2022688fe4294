// The parts of the service that the HTTP layer needs to run operations.

import type { Databases } from '../database/databases.ts';
import type { PrincipalProvider, ServiceProvider } from './context/principal.ts';
import type { RateLimiter } from './rate-limit.ts';

export type HttpDependencies = {
  readonly databases: Databases;
  readonly principalProvider: PrincipalProvider;
  /** Without it no key of a service is accepted. */
  readonly serviceProvider?: ServiceProvider;
  readonly limiter: RateLimiter;
};
