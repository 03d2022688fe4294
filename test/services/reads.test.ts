// GetServices and GetService: what is listed and found, and what only editors see.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { icons } from '../../src/features/icons/assets/icon-catalogue.ts';
import { serviceIdentities, serviceIdOf } from '../../src/features/services/rules/service-catalogue.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { getService, serviceKid, servicesPath, updateService } from '../support/services.ts';
import { testNow } from '../support/times.ts';

type Item = { readonly kid: string; readonly identity: string; readonly name: string };

serviceSuite({ now: testNow, tenants: ['sund', 'fjord'] }, ({ service, manager, issueToken }) => {
  let reader: string;
  before(async () => {
    reader = await issueToken({ tabs: ['Services1'], permissions: ['Service.Read'] });
    await service.write('sund', async (db) => {
      await updateService(db, 'Payments', { name: '100 % card_payments \\ Ærø', icon: 'calendar' });
      await updateService(db, 'Backup', { icon: 'coin_box' });
      await updateService(db, 'Mailer', {
        name: 'zz mail',
        api_key_hash: '$argon2id$x',
        api_key_environment: 'production',
      });
    });
  });
  const list = async (query = '') => service.call('GET', `${servicesPath}${query}`, { token: reader });
  const identitiesOf = async (query: string): Promise<string[]> => {
    const { status, json, text } = await list(query);
    assert.equal(status, 200, text);
    return json.items.map(({ identity }: Item) => identity);
  };

  test('[services.02, services.03, services.04, services.05] the whole catalogue comes in one response, also in another tenant', async () => {
    const { json, headers } = await list();
    assert.equal(json.nextCursor, null);
    assert.deepEqual(
      json.items.map(({ kid, identity }: Item) => [kid, identity]),
      serviceIdentities
        .toSorted((a, b) => serviceIdOf(a) - serviceIdOf(b))
        .map((identity) => [serviceKid(identity), identity]),
    );
    assert.deepEqual(json.items[0], {
      kid: 'sund-B0-M1',
      identity: 'Gateway',
      name: 'Gateway',
      iconKid: 'server',
      iconName: 'server',
    });
    assert.equal(headers['cache-control'], 'no-store');
    const token = await issueToken({ tenant: 'fjord' });
    const elsewhere = await service.call('GET', servicesPath, { token, host: 'api.fjord.localhost' });
    assert.deepEqual(
      elsewhere.json.items.map(({ kid }: Item) => kid),
      serviceIdentities.map((identity) => serviceKid(identity, 'fjord')),
    );
    assert.equal(elsewhere.json.items[1].name, 'Payments', 'each tenant has its own names');
  });

  test('[services.03] no operation creates or deletes a service', () => {
    const methods = createOperations(service.dependencies).operations.flatMap(({ path, method }) =>
      path === servicesPath || path === `${servicesPath}/{serviceKid}` ? [method] : [],
    );
    assert.deepEqual([...new Set(methods)], ['GET']);
  });

  test('[services.06] the filter is found in identity or name, whatever its case; %, _ and \\ match only themselves', async () => {
    const table: [filter: string, identities: string[]][] = [
      ['TEXTMESS', ['TextMessages']],
      ['text m', ['TextMessages']],
      ['ZZ M', ['Mailer']],
      ['ærø', ['Payments']],
      ['%', ['Payments']],
      ['0 % c', ['Payments']],
      ['_', ['Payments']],
      ['d_p', ['Payments']],
      ['\\', ['Payments']],
      ['%%', []],
      ['M_il', []],
      ['*', []],
      [' ', ['Payments', 'Mailer', 'TextMessages']],
      ['', serviceIdentities.toSorted((a, b) => serviceIdOf(a) - serviceIdOf(b))],
    ];
    for (const [filter, identities] of table)
      assert.deepEqual(await identitiesOf(`?filter=${encodeURIComponent(filter)}`), identities, filter);
  });

  test('[services.07] a filter of 128 characters is accepted, one of 129 is 400 invalid-filter', async () => {
    for (const character of ['a', '%', 'é', '🧺']) {
      assert.deepEqual(await identitiesOf(`?filter=${encodeURIComponent(character.repeat(128))}`), []);
      const { status, json } = await list(`?filter=${encodeURIComponent(character.repeat(129))}`);
      assert.deepEqual([status, json.code, json.errors[0].path], [400, 'invalid-filter', 'query.filter']);
    }
    const repeated = await list('?filter=a&FILTER=b');
    assert.deepEqual([repeated.status, repeated.json.code], [400, 'invalid-filter']);
  });

  test('[services.08] sort is identity or name, direction asc or desc; anything else is 400 invalid-sort', async () => {
    const ascending = await identitiesOf('?sort=identity&direction=asc');
    assert.deepEqual(await identitiesOf(''), ascending);
    assert.deepEqual(await identitiesOf('?SORT=identity&direction=desc'), ascending.toReversed());
    const byName = await identitiesOf('?sort=name');
    assert.deepEqual([byName[0], byName.at(-1)], ['Payments', 'Mailer']);
    assert.deepEqual(await identitiesOf('?sort=name&direction=desc'), byName.toReversed());
    const refused = [
      'sort=kid',
      'sort=',
      'sort=Name',
      'sort=name,identity',
      'direction=up',
      'direction=',
      'direction=ASC',
    ];
    for (const query of [...refused, 'sort=name&sort=name']) {
      const { status, json } = await list(`?${query}`);
      assert.deepEqual([status, json.code], [400, 'invalid-sort'], query);
    }
    const unknown = await list('?order=name');
    assert.deepEqual([unknown.status, unknown.json.code], [400, 'invalid-request']);
  });

  test('[services.09] services sort by the number of their identity', async () => {
    const ids = (await identitiesOf('')).map((identity) => serviceIdOf(identity as 'Mailer'));
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
  });

  test('[services.10, services.11, services.12] editors see the hash of the key; readers only whether there is a key', async () => {
    const selectable = icons.filter(({ retired }, number) => number > 0 && retired !== true).map(({ name }) => name);
    const common = {
      service: { kid: 'sund-B0-M3', identity: 'Mailer', name: 'zz mail', iconKid: 'mail', iconName: 'mail' },
      hasApiKeyHash: true,
      profileRevision: '1',
      availableIcons: selectable,
    };
    const read = await getService(service, 'Mailer', { token: reader });
    assert.equal(read.status, 200, read.text);
    assert.partialDeepStrictEqual(read.json, { ...common, apiKeyHash: null, canEdit: false });
    assert.equal(read.headers['cache-control'], 'no-store');
    const edited = await getService(service, 'Mailer', manager);
    assert.partialDeepStrictEqual(edited.json, { ...common, apiKeyHash: '$argon2id$x', canEdit: true });
    for (const token of [reader, manager.token]) {
      const { json } = await getService(service, 'Gateway', { token });
      assert.deepEqual([json.hasApiKeyHash, json.apiKeyHash], [false, null]);
    }
  });

  test('[services.13, services.14, services.15] icons have names; a current icon that can no longer be chosen is shown', async () => {
    const legacy = await getService(service, 'Backup', { token: reader });
    assert.deepEqual([legacy.json.service.iconKid, legacy.json.service.iconName], ['coin_box', 'coin_box']);
    assert.equal(legacy.json.availableIcons.at(-1), 'coin_box');
    const other = await getService(service, 'Payments', { token: reader });
    assert.ok(!other.json.availableIcons.includes('coin_box'));
    assert.deepEqual([other.json.service.iconKid, other.json.service.iconName], ['calendar~tMTU', 'calendar']);
    for (const { iconName } of (await list()).json.items) assert.equal(typeof iconName, 'string');
  });
});
