// GetImportKinds says what each kind of import needs, and whether the manager who asks has it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importKinds } from '../../src/features/import-kinds/import-kinds.ts';
import type { ImportKindList } from '../../src/features/imports/schemas.ts';
import { permissions, type Permission, type Tab } from '../../src/permissions/matrix.ts';
import { sendFile } from '../support/imports.ts';
import { serviceSuite } from '../support/service-suite.ts';

type Rights = { readonly tabs: readonly Tab[]; readonly permissions: readonly Permission[] };

serviceSuite({}, ({ service, manager, issueToken }) => {
  const list = async (token: string): Promise<ImportKindList['items']> => {
    const { status, json } = await service.call('GET', '/api/v1/import-kinds', { token });
    assert.equal(status, 200);
    return json.items;
  };

  test('every kind has what it needs, in the order in which a tenant is built up', async () => {
    const items = await list(manager.token);
    assert.deepEqual(
      items.map(({ kind }) => kind),
      Object.keys(importKinds),
    );
    assert.ok(items.every(({ access, exportAccess }) => access.isAllowed && exportAccess.isAllowed));
    assert.deepEqual(
      items.find(({ kind }) => kind === 'residents'),
      {
        kind: 'residents',
        belongsTo: 'bank',
        isDeactivatable: true,
        access: {
          tabs: ['Users2'],
          permissions: ['Bank.Read', 'User.Read', 'User.Create', 'User.Write'],
          grantLevel: 'bank',
          isAllowed: true,
        },
        exportAccess: {
          tabs: ['Users2'],
          permissions: ['Bank.Read', 'User.Read'],
          grantLevel: 'bank',
          isAllowed: true,
        },
      },
    );
  });

  test('what it says a manager may do, the imports and exports let them do, and nothing else', async () => {
    const rights: readonly Rights[] = [
      { tabs: ['Users2'], permissions: ['Bank.Read', 'User.Read', 'User.Write'] },
      { tabs: ['Units1'], permissions: permissions.filter((each) => !each.endsWith('.Create')) },
      { tabs: ['Account2', 'Bookings1'], permissions },
    ];
    for (const each of rights)
      for (const grants of [[{ bankId: 1001, locationId: 0 }], [{ bankId: 0, locationId: 0 }]]) {
        const token = await issueToken({ ...each, grants });
        for (const { kind, belongsTo, access, exportAccess } of await list(token)) {
          const bankId = belongsTo === 'bank' ? 1001 : undefined;
          const planned = await sendFile(service, 'key\n', { token, kind, bankId });
          assert.equal(planned.status !== 403, access.isAllowed, `${kind} ${planned.text}`);
          const bank = bankId === undefined ? '' : `?bankKid=sund-B${bankId}`;
          const exported = await service.call('GET', `/api/v1/exports/${kind}${bank}`, { token });
          assert.equal(exported.status !== 403, exportAccess.isAllowed, `${kind} ${exported.text}`);
        }
      }
  });
});
