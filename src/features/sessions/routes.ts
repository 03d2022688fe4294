// Declares LoginManager, LogoutManager and GetCurrentManager.

import type { DatabaseAccessIndicator } from '../../database/checks/database-access.ts';
import { defineManagerOperation, definePublicOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf, noContent } from '../../http/operations/response.ts';
import type { PasswordHasher } from '../passwords/process/password-hasher.ts';
import { createCurrentManagerCache } from './process/current-manager-cache.ts';
import type { LoginThrottle } from './process/login-throttle.ts';
import { getCurrentManager } from './operations/get-current-manager.ts';
import { loginManager } from './operations/login-manager.ts';
import { logoutManager } from './operations/logout-manager.ts';
import type { PrincipalCache } from './process/principal-cache.ts';
import { CurrentManager, Login, LoginCredentials } from './schemas.ts';

type SessionsDependencies = {
  readonly principalCache: PrincipalCache;
  readonly passwordHasher: PasswordHasher;
  readonly throttle: LoginThrottle;
  /** Whether the demo password is accepted. */
  readonly demo: boolean;
  readonly databaseAccess: DatabaseAccessIndicator;
  /** The operations of all other features. */
  readonly otherOperations: readonly Operation[];
};

const common = { openApiDocuments: ['portal'], group: 'Session', deadlineMs: 10_000 } as const;

export function sessionsRoutes(dependencies: SessionsDependencies): Operation[] {
  const { principalCache, passwordHasher, throttle, demo, databaseAccess, otherOperations } = dependencies;
  const operations: Operation[] = [
    definePublicOperation({
      ...common,
      id: 'LoginManager',
      method: 'POST',
      path: '/api/v1/session/login',
      summary: 'Log in with manager credentials',
      description: 'The token is valid for 12 hours, on this tenant host and in this environment only.',
      body: LoginCredentials,
      response: jsonOf(Login),
      holdsSecret: true,
      problemCodes: ['invalid-credentials', 'too-many-attempts', 'login-busy'],
      maxBodyBytes: 8192,
      run: ({ body }, context) => loginManager(context, body, { passwordHasher, throttle, currentManagers, demo }),
    }),
    defineManagerOperation({
      ...common,
      id: 'LogoutManager',
      method: 'POST',
      path: '/api/v1/session/logout',
      summary: 'End this session',
      description: 'The token becomes invalid immediately. Other sessions of the manager stay valid.',
      access: {},
      response: noContent,
      run: (_input, context) => logoutManager(context, { principalCache }),
    }),
    defineManagerOperation({
      ...common,
      id: 'GetCurrentManager',
      method: 'GET',
      path: '/api/v1/session/me',
      summary: 'Read the current manager and their rights',
      description:
        'The first call after login: profile, Tabs, bank and location access, permissions and operation rights.',
      access: {},
      response: jsonOf(CurrentManager),
      run: (_input, context) => getCurrentManager(context, { currentManagers }),
    }),
  ];
  const currentManagers = createCurrentManagerCache({
    databaseAccess,
    operations: [...operations, ...otherOperations],
  });
  return operations;
}
