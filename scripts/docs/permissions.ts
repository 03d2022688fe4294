// Generates docs/permissions.md: the rights that each operation needs, and the operations that need each right.

import type { ManagerOperation, Operation } from '../../src/http/operations/operation.ts';
import { isManagerOperation, listAccessByValue, needsOf } from '../../src/http/operations/operation-properties.ts';
import { anyTab, areas, flags, tabs, type Tab } from '../../src/permissions/matrix.ts';
import type { GrantLevel } from '../../src/permissions/needs.ts';
import { code, codes, page, table } from './markdown.ts';

const grantLevelTexts: Record<GrantLevel, string> = {
  none: 'none',
  location: 'any grant that covers the object',
  bank: 'bank-wide or wider',
  tenant: 'tenant-wide',
};

export function createPermissionsPage(operations: readonly Operation[]): string {
  const byManagers = operations.filter(isManagerOperation);
  const byAnyone = operations.filter(({ access }) => access === 'anyone').map(({ id }) => id);
  const byComputers = operations.filter(({ access }) => access === 'computer').map(({ id }) => id);
  return page(
    '# Permissions',
    'The rights that an operation needs in addition to a valid session: one of the Tabs, all of the permissions, and a grant at least as wide as the scope. They are checked in this order, and the `reason` of a 403 names the first missing one: `missing-tab`, `missing-{area}-{flag}` or `too-narrow`. An account that no grant covers is `missing-bank-read`.',
    `Operations without a session: ${codes(byAnyone)}.`,
    `Operations of computers, which have a key and no permissions: ${codes(byComputers)}.`,
    'Generated from the operations by `npm run docs`.',
    '## Operations',
    table(['Operation', 'Tab', 'Permissions', 'Scope'], byManagers.flatMap(needsRows)),
    '## Permissions',
    'A permission is an area and a flag. Each permission is granted separately; none implies another.',
    table(['Area', 'Flag', 'Needed by'], matrixRows(byManagers)),
    '## Tabs',
    'Operations that accept any Tab are not listed. A Tab without an operation gives access to those only.',
    table(
      ['Tab', 'Needed by'],
      tabs.map((tab) => [
        code(tab),
        formatOperationIds(byManagers, (needs) => needs.tabs !== anyTab && needs.tabs.includes(tab)),
      ]),
    ),
  );
}

/** One row, or one for each type of object or word if the access depends on the path. */
function needsRows({ id, access }: ManagerOperation): string[][] {
  return listAccessByValue(access).map(([type, each]) => {
    const { tabs: neededTabs, permissions, grantLevel } = needsOf(each);
    const name = type === undefined ? code(id) : `${code(id)} (${type})`;
    return [name, formatNeededTabs(neededTabs), codes(permissions), grantLevelTexts[grantLevel]];
  });
}

const formatNeededTabs = (needed: readonly Tab[]): string =>
  needed === anyTab ? 'any' : needed.map(code).join(' or ');

function matrixRows(operations: readonly ManagerOperation[]): string[][] {
  return areas.flatMap((area) =>
    flags.map((flag) => [
      area,
      flag,
      formatOperationIds(operations, ({ permissions }) => permissions.includes(`${area}.${flag}`)),
    ]),
  );
}

function formatOperationIds(
  operations: readonly ManagerOperation[],
  matches: (needs: ReturnType<typeof needsOf>) => boolean,
): string {
  const isMatch = ({ access }: ManagerOperation): boolean =>
    listAccessByValue(access).some(([, each]) => matches(needsOf(each)));
  return codes(operations.filter(isMatch).map(({ id }) => id));
}
