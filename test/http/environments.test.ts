// Beta and production: two hosts with the same data.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Type } from 'typebox';
import { closedObject } from '../../src/http/schemas/schema-types.ts';
import { defineManagerOperation } from '../../src/http/operations/operation.ts';
import { jsonOf, noContent } from '../../src/http/operations/response.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { insertTestBank, createToken } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { startOperations, type TestInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';

const production = 'api.sund.localhost';
const beta = 'beta.api.sund.localhost';

const Note = closedObject({ text: Type.String() });
const declared = {
  openApiDocuments: ['portal'],
  group: 'Notes',
  summary: 'A note',
  access: {},
  deadlineMs: 10_000,
} as const;

/** A read and a write of one setting through the context of an operation. */
const notes = [
  defineManagerOperation({
    ...declared,
    id: 'SetNote',
    method: 'PUT',
    path: '/api/v1/note',
    body: Note,
    response: noContent,
    run: async ({ body: { text } }, context) => {
      await context.write({
        grant: (scope) => scope,
        requireObject: async (_db, scope) => scope,
        work: async (db) => {
          await db.deleteFrom('tenant_settings').where('name', '=', 'note').execute();
          await db.insertInto('tenant_settings').values({ name: 'note', value: text }).execute();
        },
      });
    },
  }),
  defineManagerOperation({
    ...declared,
    id: 'GetNote',
    method: 'GET',
    path: '/api/v1/note',
    response: jsonOf(Note),
    run: async (_input, context) => ({
      text: await context.read(async (db) => {
        const found = await db
          .selectFrom('tenant_settings')
          .select('value')
          .where('name', '=', 'note')
          .executeTakeFirst();
        return found?.value ?? '';
      }),
    }),
  }),
];

serviceSuite({ manager: false }, ({ service, onStop }) => {
  let instance: TestInstance;
  before(async () => {
    instance = await startOperations(service, notes);
    onStop(instance.stop);
  });

  test('[general.18] a write through one environment is read through the other', async () => {
    const tokens = {
      [production]: (await createToken(service, { environment: 'production' })).token,
      [beta]: (await createToken(service, { environment: 'beta' })).token,
    };
    for (const [from, to] of [
      [production, beta],
      [beta, production],
    ] as const) {
      const text = `written at ${from}`;
      const written = await instance.call('PUT', '/api/v1/note', { host: from, token: tokens[from], body: { text } });
      assert.equal(written.status, 204);
      const read = await instance.call('GET', '/api/v1/note', { host: to, token: tokens[to] });
      assert.deepEqual(read.json, { text });
    }
  });

  test("[general.18] a bank's account reads the same in both environments", async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      const posting = {
        recordedAt: toMs2000(Date.now()),
        locationId: 1,
        unitId: 1,
        residentId: 1000,
        kind: 'Consumption',
      } as const;
      await lockAndAppendPostings(db, grantBank(1001), [
        { ...posting, currency: 'DKK', amountMinor: -1250n, text: 'Wash' },
      ]);
    });
    const read = async (environment: 'production' | 'beta', host: string): Promise<unknown> => {
      const { token } = await createToken(service, { environment });
      const path = '/api/v1/banks/sund-B1001/account?Period=0';
      const { json } = await service.call('GET', path, { host, token });
      return json;
    };
    const seen = await read('production', production);
    assert.equal((seen as { totalCount: number }).totalCount, 1);
    assert.deepEqual(await read('beta', beta), seen);
  });
});
