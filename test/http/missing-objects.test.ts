// What an object that does not exist answers, at every operation whose path names one. The guard’s refusals are in
// problem-reasons.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { isManagerOperation } from '../../src/http/operations/operation-properties.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createSample } from './support/operation-samples.ts';

const notFound = '404 not-found';

/** The account of a bank, for which the specification has 403 whether it does not exist or is not visible. */
const specified: Readonly<Record<string, string>> = {
  GetBankAccount: '403 forbidden',
  GetBankAccountRevision: '403 forbidden',
  ExportBankAccount: '403 forbidden',
};

serviceSuite({}, ({ service, manager }) => {
  test('an object that does not exist is 404 not-found at every operation, unless the specification says otherwise', async () => {
    const answers: Record<string, string> = {};
    const operations = createOperations(service.dependencies).operations.filter(isManagerOperation);
    for (const operation of operations) {
      // The services of a tenant are fixed: all of them exist.
      if (!/\{\w*[kK]id\}/.test(operation.path) || operation.path.includes('{serviceKid}')) continue;
      const { method, path, body } = createSample(operation);
      const missing = path.replaceAll(/sund-([BMI])\d+/g, 'sund-$14711');
      const { status, json } = await service.call(method, missing, {
        ...manager,
        ...(body === undefined ? {} : { body }),
      });
      answers[operation.id] = `${status} ${json?.code}`;
    }
    assert.ok(Object.keys(answers).length > 40);
    assert.deepEqual(answers, Object.fromEntries(Object.keys(answers).map((id) => [id, specified[id] ?? notFound])));
  });
});
