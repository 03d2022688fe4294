// Every generated page by its path in the repository.

import type { Operation } from '../http/operation.ts';
import { errorsPage } from './errors.ts';
import { operationsPage } from './operations.ts';
import { permissionsPage } from './permissions.ts';

export function generatedPages(operations: readonly Operation[]): Record<string, string> {
  return {
    'docs/errors.md': errorsPage(),
    'docs/permissions.md': permissionsPage(operations),
    'docs/operations.md': operationsPage(operations),
  };
}
