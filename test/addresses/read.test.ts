// GetObjectAddress: what it shows of each type of object, and to whom.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyTab, permissions, tabs, type Permission } from '../../src/permissions/matrix.ts';
import { createToken, type ManagerOptions } from '../support/factories.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import { addressSuite, hostOf, kidTypes, writeBodies, writeNames, writePaths } from './support/address-suite.ts';

const reads: Readonly<Record<string, readonly Permission[]>> = {
  bank: ['Bank.Read'],
  location: ['Bank.Read', 'Location.Read'],
  unit: ['Bank.Read', 'Location.Read', 'Unit.Read'],
  user: ['Bank.Read', 'User.Read'],
};
const writes: Readonly<Record<string, Permission>> = {
  bank: 'Bank.Write',
  location: 'Location.Write',
  unit: 'Unit.Write',
  user: 'User.Write',
};

const bankIdOf = (kid: string): number => Number(/-B(\d+)/.exec(kid)?.[1]);

addressSuite({ tenants: ['sund', 'fjord'] }, (suite) => {
  const { service, manager, newObject, get, store, stored, issueToken, write } = suite;

  /** The status and reason that a manager with these rights gets. */
  const readAs = async (kid: string, rights: ManagerOptions) => {
    const { status, json } = await get(kid, { token: await issueToken(rights) });
    return [status, json.reason ?? json.code ?? json.canWrite];
  };
  const bankWide = (kid: string) => [{ bankId: bankIdOf(kid), locationId: 0 }];
  const atLocation = (kid: string, locationId = 1) => [{ bankId: bankIdOf(kid), locationId }];

  test('[addresses.01, addresses.02, addresses.08, addresses.12] an object without an address shows it empty, without coordinates', async () => {
    for (const type of kidTypes) {
      const kid = await newObject(type);
      const { status, json } = await get(kid);
      assert.equal(status, 200);
      const { revision, ...rest } = json;
      assert.match(revision, /^[\w-]{27}$/);
      assert.deepEqual(rest, {
        kid,
        address: '',
        zip: '',
        latitude: null,
        longitude: null,
        autoLatitudeLongitude: null,
        outcome: 'Unchanged',
        canWrite: true,
      });
    }
  });

  test('[addresses.09] a unit shows nothing of its location’s address, and a location nothing of its bank’s', async () => {
    const unit = await newObject('unit');
    await store(unit.replace('-U1', ''), { address: 'Location Lane 1', zip: '2100', latitude: 1, longitude: 2 });
    await store(unit.replace('-L1-U1', ''), { address: 'Bank Lane 1', zip: '8000', latitude: 3, longitude: 4 });
    for (const kid of [unit, unit.replace('-L1-U1', '-L2')]) {
      const { json } = await get(kid);
      assert.deepEqual([json.address, json.zip, json.latitude, json.longitude], ['', '', null, null]);
    }
  });

  test('[addresses.10, addresses.11] a coordinate of zero is shown, and differs from none', async () => {
    const kid = await newObject('location', { latitude: 0, longitude: 0, coordinate_provenance: 30 });
    const { json } = await get(kid);
    assert.deepEqual([json.latitude, json.longitude], [0, 0]);
  });

  test('[addresses.01, addresses.25] KIDs of other objects, of no resident and of other tenants are 400', async () => {
    const bank = await newObject('bank');
    const others = ['sund', 'sund-M1001', 'sund-I2001', 'sund-B0-M3', `${bank}-X1`, `${bank}-E1`, `${bank}-L1-U1-D1`];
    const noResidents = [`${bank}-R0`, `${bank}-R1000`];
    const malformed = ['fjord-B1001', `${bank}-L01`, bank.toLowerCase(), 'nonsense'];
    for (const kid of [...others, ...noResidents, ...malformed])
      for (const operation of ['read', ...writeNames] as const) {
        const [method, suffix] = operation === 'read' ? ['GET', ''] : writePaths[operation];
        const body = operation === 'read' ? {} : { body: { ...writeBodies[operation], expectedRevision: 'x' } };
        const reply = await service.call(method, `/api/v1/addresses/${kid}${suffix}`, {
          token: manager.token,
          ...body,
        });
        assert.deepEqual([reply.status, reply.json.code], [400, 'invalid-kid'], `${operation} ${kid}`);
      }
  });

  test('[addresses.19, addresses.25] without a session it is 401', async () => {
    assert.equal((await get(await newObject('bank'), { token: undefined })).status, 401);
  });

  test('[addresses.19] each type needs its own Read permissions, and no others', async () => {
    for (const type of kidTypes) {
      const kid = await newObject(type);
      const needed = reads[type] ?? [];
      const tab = type === 'user' ? 'Users2' : 'Dashboard1';
      assert.deepEqual(await readAs(kid, { tabs: [tab], permissions: [...needed] }), [200, false], type);
      for (const missing of needed) {
        const rights = { permissions: permissions.filter((each) => each !== missing) };
        assert.deepEqual(await readAs(kid, rights), [403, `missing-${missing.replace('.', '-').toLowerCase()}`], type);
      }
    }
  });

  test('[addresses.19] any assigned Tab is enough, but of residents only Users2 is', async () => {
    for (const type of kidTypes) {
      const kid = await newObject(type);
      assert.deepEqual(await readAs(kid, { tabs: [] }), [403, 'missing-tab']);
      for (const tab of anyTab)
        assert.deepEqual(
          await readAs(kid, { tabs: [tab] }),
          type !== 'user' || tab === 'Users2' ? [200, true] : [403, 'missing-tab'],
          `${type} ${tab}`,
        );
      assert.deepEqual(
        await readAs(kid, { tabs: tabs.filter((tab) => tab !== 'Users2') }),
        type === 'user' ? [403, 'missing-tab'] : [200, true],
      );
    }
  });

  test('[addresses.19] an inactive manager reads nothing', async () => {
    const kid = await newObject('bank');
    assert.equal((await get(kid, { token: await issueToken({ active: false }) })).status, 401);
  });

  test('[addresses.20] a bank and a resident need a bank-wide grant, a location and a unit one that covers them', async () => {
    for (const type of kidTypes) {
      const kid = await newObject(type);
      const isOfBank = type === 'bank' || type === 'user';
      assert.deepEqual(await readAs(kid, { grants: bankWide(kid) }), [200, true], type);
      assert.deepEqual(
        await readAs(kid, { grants: atLocation(kid) }),
        isOfBank ? [403, 'too-narrow'] : [200, true],
        type,
      );
      // A manager with a bank-wide grant elsewhere sees the bank through the location.
      const mixed = [...atLocation(kid), { bankId: 1, locationId: 0 }];
      assert.deepEqual(await readAs(kid, { grants: mixed }), isOfBank ? [403, 'too-narrow'] : [200, true], type);
      const elsewhere = [...atLocation(kid, 2), { bankId: 1, locationId: 0 }];
      assert.deepEqual(
        await readAs(kid, { grants: elsewhere }),
        type === 'bank' ? [403, 'too-narrow'] : [404, 'not-found'],
        type,
      );
    }
  });

  test('[addresses.20, addresses.23] a location-only grant cannot write the address of a bank or a resident', async () => {
    for (const type of ['bank', 'user'] as const) {
      const kid = await newObject(type);
      const token = await issueToken({ grants: [...atLocation(kid), { bankId: 1, locationId: 0 }] });
      for (const operation of writeNames) {
        const { status, json } = await write(kid, operation, writeBodies[operation], { token });
        assert.deepEqual([status, json.reason], [403, 'too-narrow'], `${type} ${operation}`);
      }
      assert.equal((await stored(kid)).address_revision, 0);
    }
  });

  test('[addresses.21] a disabled location, and a unit in it, needs a tenant-wide grant; a disabled unit does not', async () => {
    for (const type of ['location', 'unit'] as const) {
      const kid = await newObject(type);
      await store(kid.replace('-U1', ''), { enabled: 0 } as object);
      assert.deepEqual(await readAs(kid, { grants: bankWide(kid) }), [403, 'too-narrow'], type);
      assert.deepEqual(await readAs(kid, { grants: atLocation(kid) }), [403, 'too-narrow'], type);
      assert.equal((await get(kid)).status, 200);
      const token = await issueToken({ grants: bankWide(kid) });
      for (const operation of writeNames)
        assert.equal((await write(kid, operation, writeBodies[operation], { token })).status, 403, operation);
    }
    const unit = await newObject('unit');
    await store(unit, { enabled: 0 } as object);
    assert.deepEqual(await readAs(unit, { grants: bankWide(unit) }), [200, true]);
  });

  test('[addresses.22] an object that is missing, deleted or in a deleted place is 404, like one that no grant covers', async () => {
    const missing = {
      bank: 'sund-B9999',
      location: 'sund-B9999-L1',
      unit: 'sund-B9999-L1-U1',
      user: 'sund-B9999-R1001',
    };
    for (const type of kidTypes) {
      const [mine, other] = [await newObject(type), await newObject(type)];
      const token = await issueToken({ grants: bankWide(mine) });
      const body = async (kid: string, as = token) => {
        const { status, json } = await get(kid, { token: as });
        const { traceId, ...rest } = json;
        assert.equal(typeof traceId, 'string');
        assert.equal(status, 404, `${type} ${kid}`);
        return rest;
      };
      const expected = await body(missing[type]);
      assert.deepEqual(await body(other), expected, type);
      const parents = mine
        .split('-')
        .slice(1)
        .map((_, at, parts) => `sund-${parts.slice(0, at + 1).join('-')}`);
      for (const kid of parents) {
        await store(kid, { deleted_at: 1 } as object);
        assert.deepEqual(await body(mine), expected, `${type} below ${kid}`);
        assert.deepEqual(await body(mine, manager.token), expected);
        const { status } = await write(mine, 'coordinates', { ...writeBodies.coordinates, expectedRevision: 'x' });
        assert.equal(status, 404);
        await store(kid, { deleted_at: null } as object);
      }
      assert.equal((await get(mine, { token })).status, 200);
    }
  });

  test('[addresses.22] a deleted resident is 404 even while RetentionDays shows it elsewhere, and so is an expired one', async () => {
    const kid = await newObject('user');
    const token = await issueToken({ retentionDays: 3650 });
    await store(kid, { deleted_at: suite.clock.now - 1000 } as object);
    assert.equal((await get(kid, { token })).status, 404);
    await store(kid, { deleted_at: null, expired_at: suite.clock.now } as object);
    assert.equal((await get(kid, { token })).status, 404);
  });

  test('[addresses.12] the provenance that is stored is shown: null, and every code', async () => {
    for (const type of kidTypes) {
      const kid = await newObject(type, { latitude: 1, longitude: 2 });
      for (const code of [null, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 20, 30]) {
        await store(kid, { coordinate_provenance: code });
        assert.equal((await get(kid)).json.autoLatitudeLongitude, code, type);
      }
    }
  });

  test('[addresses.15] canWrite is that of the snapshot, and a write asks for the right as it is now', async () => {
    for (const type of kidTypes) {
      const kid = await newObject(type);
      const needed = writes[type] ?? 'Bank.Write';
      const { token, managerId } = await createToken(service);
      assert.equal((await get(kid, { token })).json.canWrite, true);
      // As another replica does it: this one does not hear of it.
      await service.write('sund', (db) =>
        db
          .deleteFrom('manager_permissions')
          .where('manager_id', '=', managerId)
          .where('permission', '=', needed)
          .execute(),
      );
      const before = await stored(kid);
      for (const operation of writeNames) {
        const { status, json } = await write(kid, operation, writeBodies[operation], { token });
        const reason = `missing-${needed.replace('.', '-').toLowerCase()}`;
        assert.deepEqual([status, json.reason], [403, reason], `${type} ${operation}`);
        assert.equal((await get(kid, { token })).json.canWrite, true, 'the snapshot is as before');
      }
      assert.deepEqual(await stored(kid), before);
    }
  });

  test('[addresses.15] canWrite says whether the manager has the Write permission of the type, and the ETag changes with it', async () => {
    for (const type of kidTypes) {
      const kid = await newObject(type);
      const needed = writes[type] ?? 'Bank.Write';
      const token = await issueToken({ permissions: permissions.filter((each) => each !== needed) });
      const [reader, writer] = [await get(kid, { token }), await get(kid)];
      assert.deepEqual([reader.json.canWrite, writer.json.canWrite], [false, true], type);
      assert.equal(reader.json.revision, writer.json.revision);
      assert.notEqual(reader.headers.etag, writer.headers.etag);
      const again = await get(kid, { headers: { 'if-none-match': String(writer.headers.etag) } });
      assert.deepEqual([again.status, again.text], [304, '']);
      const changed = await get(kid, { headers: { 'if-none-match': String(reader.headers.etag) } });
      assert.equal(changed.status, 200);
    }
  });

  test('[addresses.24] the revision changes with every column that is shown, whoever writes it', async () => {
    const kid = await newObject('unit');
    const seen = new Set<string>();
    for (const columns of [
      {},
      { address: 'a' },
      { zip: 'b' },
      { latitude: 1 },
      { longitude: 1 },
      { coordinate_provenance: 0 },
      { address_revision: 7 },
    ]) {
      if (Object.keys(columns).length > 0) await store(kid, columns);
      const { json } = await get(kid);
      assert.ok(!seen.has(json.revision), JSON.stringify(columns));
      seen.add(json.revision);
    }
  });

  test('[addresses.25] while storage is away a read is 503', async () => {
    const kid = await newObject('location');
    const reply = await callWithoutStorage(service, () => get(kid));
    assert.deepEqual([reply.status, reply.json.code], [503, 'storage-unavailable']);
  });

  test('the same ids in another tenant are another object', async () => {
    const kid = await newObject('bank', { address: 'Sund Lane 1' });
    await service.write('fjord', (db) => db.deleteFrom('banks').where('bank_id', '=', bankIdOf(kid)).execute());
    const token = await issueToken({ tenant: 'fjord' });
    const other = kid.replace('sund', 'fjord');
    assert.equal((await get(other, { token, host: hostOf(other) })).status, 404);
    assert.equal((await get(kid, { token })).status, 401);
  });
});
