// Asks a service that has measured nothing yet, and counts what it reads.

import assert from 'node:assert/strict';
import { lockAndAppendPostings } from '../../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../../src/features/account/rules/posting-draft.ts';
import type { Dependencies } from '../../../src/dependencies.ts';
import { postingDraft } from '../../support/account-reads.ts';
import type { HttpReply } from '../../support/call.ts';
import { grantBank } from '../../support/granted-banks.ts';
import { startInstance, type TestInstance } from '../../support/instances.ts';
import type { TestService } from '../../support/service.ts';

export const purchasesPath = '/api/v1/public/statistics/purchases';
export const purchaseMapPath = '/api/v1/public/statistics/purchase-map';
export const activeUsersPath = '/api/v1/public/statistics/active-users';
export const statisticsPaths = [purchasesPath, purchaseMapPath, activeUsersPath];

/** Another application over the databases of the service, whose caches are empty. */
export async function withFreshInstance<T>(
  service: TestService,
  work: (instance: TestInstance) => Promise<T>,
  replaced: Partial<Dependencies> = {},
): Promise<T> {
  const instance = await startInstance(service, replaced);
  try {
    return await work(instance);
  } finally {
    await instance.stop();
  }
}

/** The answer of an application that has measured nothing yet. */
export const measure = (service: TestService, path: string): Promise<HttpReply> =>
  withFreshInstance(service, async ({ call }) => {
    const reply = await call('GET', path);
    assert.equal(reply.status, 200, reply.text);
    return reply;
  });

export type Purchase = Partial<PostingDraft> & { readonly recordedAt: number };

/** Appends postings, each of which is a purchase unless told otherwise. */
export const post = (service: TestService, bankId: number, postings: readonly Purchase[]): Promise<number> =>
  service.write('sund', (db) =>
    lockAndAppendPostings(
      db,
      grantBank(bankId),
      postings.map(({ recordedAt, ...change }) => postingDraft(recordedAt, change)),
    ),
  );

/** Counts the requests and the reads of a service; each read waits for `hold`. */
export function countReads(service: TestService, hold: Promise<void> = Promise.resolve()) {
  const { databases, metrics } = service.dependencies;
  const counted = { requests: 0, reads: 0 };
  const replaced: Partial<Dependencies> = {
    metrics: {
      ...metrics,
      begin: () => {
        counted.requests += 1;
        metrics.begin();
      },
    },
    databases: {
      ...databases,
      forTenant: (tenant) => ({
        ...databases.forTenant(tenant),
        read: async (options, work) => {
          counted.reads += 1;
          await hold;
          return databases.forTenant(tenant).read(options, work);
        },
      }),
    },
  };
  return { counted, replaced };
}
