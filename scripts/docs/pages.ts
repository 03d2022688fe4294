// Lists the generated pages without images, by their path in the repository.

import type { Operation } from '../../src/http/operations/operation.ts';
import { createErrorsPage } from './errors.ts';
import { createImportColumnsPage } from './import-columns.ts';
import { createOperationsPage } from './operations.ts';
import { createPermissionsPage } from './permissions.ts';
import { createSettingsPage } from './settings.ts';

export function createGeneratedPages(operations: readonly Operation[]): Record<string, string> {
  return {
    'docs/errors.md': createErrorsPage(),
    'docs/permissions.md': createPermissionsPage(operations),
    'docs/operations.md': createOperationsPage(operations),
    'docs/settings.md': createSettingsPage(),
    'docs/import-columns.md': createImportColumnsPage(),
  };
}
