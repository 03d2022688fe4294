// The general rate limit counts the requests per minute of a client address, and of a principal from any address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settings } from '../../src/config.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken } from '../support/factories.ts';
import { mockMonotonicClock } from '../support/instances.ts';
import { startService, type TestService } from '../support/service.ts';

const me = '/api/v1/session/me';

async function limited(
  limit: string,
  work: (service: TestService) => Promise<void>,
  options: { readonly tenants?: readonly string[] } = {},
): Promise<void> {
  const service = await startService('sqlite', { settings: { PORTAL_RATE_LIMIT: limit }, ...options });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

type Limit = {
  readonly quota: number;
  readonly windowSeconds: number;
  readonly left: number;
  readonly resetSeconds: number;
};

/** Reads the RateLimit fields: `"address";q=12000;w=60` and `"address";r=11999;t=60`, a list each. */
function limitsOf({ headers }: HttpReply): Record<string, Limit> {
  const items = (field: unknown): Map<string, Map<string, number>> =>
    new Map(
      (typeof field === 'string' ? field : '')
        .split(', ')
        .filter((item) => item !== '')
        .map((item) => {
          const [name = '', ...parameters] = item.split(';');
          const pairs = parameters
            .map((each) => each.split('='))
            .map(([key = '', value]): [string, number] => [key, Number(value)]);
          return [JSON.parse(name), new Map(pairs)];
        }),
    );
  const state = items(headers['ratelimit']);
  const policies = [...items(headers['ratelimit-policy'])];
  return Object.fromEntries(
    policies.map(([name, policy]) => [
      name,
      {
        quota: policy.get('q') ?? -1,
        windowSeconds: policy.get('w') ?? -1,
        left: state.get(name)?.get('r') ?? -1,
        resetSeconds: state.get(name)?.get('t') ?? -1,
      },
    ]),
  );
}

function assertExceeded({ status, headers, json }: HttpReply): void {
  assert.deepEqual([status, json.code], [429, 'too-many-requests']);
  const seconds = Number(headers['retry-after']);
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
}

test('[general.52] by default a principal has 6000 requests a minute and an address 12000', async () => {
  await limited(settings.rateLimit.fallback, async (service) => {
    const { token } = await createToken(service);
    const { address, principal } = limitsOf(await service.call('GET', me, { token }));
    assert.deepEqual([address?.quota, address?.windowSeconds, address?.left], [12_000, 60, 11_999]);
    assert.deepEqual([principal?.quota, principal?.windowSeconds, principal?.left], [6000, 60, 5999]);
    const anonymous = limitsOf(await service.call('GET', '/docs'));
    assert.deepEqual(Object.keys(anonymous), ['address']);
  });
});

test('[general.51, general.52] requests beyond the limit of an address are 429 with Retry-After, until the minute is over', async () => {
  const clock = mockMonotonicClock();
  try {
    await limited('1000,5', async (service) => {
      const lefts: unknown[] = [];
      // For every path, existing or not.
      for (const [method, path] of [
        ['GET', me],
        ['GET', '/nope'],
        ['PUT', me],
        ['GET', '/docs'],
        ['HEAD', me],
      ] as const)
        lefts.push(limitsOf(await service.call(method, path)).address?.left);
      assert.deepEqual(lefts, [4, 3, 2, 1, 0]);
      for (const path of [me, '/docs', '/nope', '/openapi/portal-v1.json']) {
        const refused = await service.call('GET', path);
        assertExceeded(refused);
        const { left, resetSeconds } = limitsOf(refused).address ?? { left: -1, resetSeconds: -1 };
        assert.deepEqual([left, resetSeconds], [0, Number(refused.headers['retry-after'])]);
      }
      assert.equal((await service.call('GET', '/livez')).status, 200, 'health is not counted');
      clock.advance(59_000);
      assertExceeded(await service.call('GET', '/docs'));
      clock.advance(1000);
      const { status, headers } = await service.call('GET', '/docs');
      assert.equal(status, 200, JSON.stringify(headers));
    });
  } finally {
    clock.restore();
  }
});

test('[general.51, general.52] requests beyond the limit of a principal are 429 with Retry-After, in any session', async () => {
  await limited('3,1000', async (service) => {
    const first = await createToken(service);
    const second = await createToken(service);
    const lefts: unknown[] = [];
    for (const path of [me, `${me}?x=1`, '/api/v1/banks/sund-B1/account'])
      lefts.push(limitsOf(await service.call('GET', path, first)).principal?.left);
    assert.deepEqual(lefts, [2, 1, 0]);
    assertExceeded(await service.call('GET', me, first));
    assert.equal((await service.call('GET', me, second)).status, 200, 'another manager has a count of their own');
    assert.equal((await service.call('GET', me)).status, 401, 'nobody is no principal');
  });
});

test('[general.10, general.52] managers of two tenants with the same id have a count each', async () => {
  await limited(
    '1,1000',
    async (service) => {
      const ids: number[] = [];
      for (const tenant of ['sund', 'fjord']) {
        const { token, managerId } = await createToken(service, { tenant });
        ids.push(managerId);
        const { status } = await service.call('GET', me, { token, host: `api.${tenant}.localhost` });
        assert.equal(status, 200, tenant);
      }
      assert.equal(new Set(ids).size, 1);
    },
    { tenants: ['sund', 'fjord'] },
  );
});

test('[general.52] PORTAL_RATE_LIMIT accepts both limits, one limit and its double, or off', async () => {
  await limited('7,9', async (service) => {
    const { address, principal } = limitsOf(await service.call('GET', me, await createToken(service)));
    assert.deepEqual([principal?.quota, address?.quota], [7, 9]);
  });
  await limited('20', async (service) => {
    const { address, principal } = limitsOf(await service.call('GET', me, await createToken(service)));
    assert.deepEqual([principal?.quota, address?.quota], [20, 40]);
  });
  await limited('off', async (service) => {
    const options = await createToken(service);
    for (let at = 0; at < 50; at += 1) {
      const reply = await service.call('GET', me, options);
      assert.deepEqual([reply.status, limitsOf(reply), reply.headers['ratelimit']], [200, {}, undefined]);
    }
  });
});
