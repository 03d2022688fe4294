// The templates of all kinds, imported as they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importKinds } from '../../src/features/import-kinds/import-kinds.ts';
import { applyPlan, listRows, planFile } from '../support/imports.ts';
import { serviceSuite } from '../support/service-suite.ts';

serviceSuite({}, ({ service, manager }) => {
  test('[imports.14] the templates of all kinds, one after the other, are the files of one tenant', async () => {
    for (const { name, belongsTo } of Object.values(importKinds)) {
      const template = await service.call('GET', `/api/v1/imports/templates/${name}.csv`, manager);
      const request = { ...manager, kind: name, ...(belongsTo === 'bank' ? { bankId: 1001 } : {}) };
      const planned = await planFile(service, template.text, request);
      assert.deepEqual(
        (await listRows(service, planned.kid, manager)).flatMap(({ errors }) => errors as unknown[]),
        [],
        name,
      );
      assert.equal((await applyPlan(service, planned, manager)).outcomes.applied, 1, name);
    }
  });
});
