// GetInstaller and SetInstallerIcon: what is read and written, and who is refused.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { listIconNames } from '../../src/features/icons/assets/icon-catalogue.ts';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import type { ManagerOptions } from '../support/factories.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import {
  insertTestInstaller,
  installerPath,
  installersPath,
  readInstallerContent,
  readInstallerRecord,
  setInstallerIcon,
} from '../support/installers.ts';
import { countOutcomes, runInParallel } from '../support/replicas.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

serviceSuite({ now: testNow, replicas: 2 }, ({ service, replicaFor, manager, issueToken }) => {
  let nextId = 2000;
  const create = async (): Promise<number> => {
    const installerId = (nextId += 1);
    await service.write('sund', (db) =>
      insertTestInstaller(db, { installerId, phone: '000-9001', organisation: 'Demo Meters', tags: ['Meters'] }),
    );
    return installerId;
  };
  let id: number;
  before(async () => {
    id = await create();
  });
  const get = (installerId: number, options: CallOptions = manager) =>
    service.call('GET', installerPath(installerId), options);

  test('[installers.01, installers.06, installers.08] the details hold the icons that can be chosen, and the revision of the icon', async () => {
    const reader = await issueToken({ tabs: ['Installers1'], permissions: ['Installer.Read'] });
    const { status, json, text } = await get(id, { token: reader });
    assert.equal(status, 200, text);
    assert.deepEqual(Object.keys(json), [
      'installer',
      'phone',
      'organisation',
      'availablePersonIcons',
      'iconRevision',
      'canEdit',
    ]);
    assert.partialDeepStrictEqual(json, {
      installer: { kid: `sund-I${id}`, name: `Installer ${id}`, tags: ['Meters'], iconKid: 'person' },
      phone: '000-9001',
      organisation: 'Demo Meters',
      availablePersonIcons: listIconNames('persons'),
      iconRevision: '1',
      canEdit: false,
    });
    assert.equal((await get(id)).json.canEdit, true);
  });

  test('[installers.02] the current icon can be kept, even if it can no longer be chosen', async () => {
    const installer = await create();
    await service.write('sund', (db) =>
      db.updateTable('installers').set({ person_icon: 'house' }).where('installer_id', '=', installer).execute(),
    );
    const kept = await setInstallerIcon(service, installer, 'house', manager);
    assert.deepEqual([kept.status, kept.json.iconRevision, kept.json.installer.iconKid], [200, '1', 'house']);
    assert.equal((await setInstallerIcon(service, installer, 'building', manager)).status, 400);
    assert.equal((await setInstallerIcon(service, installer, 'person_star', manager)).status, 200);
    assert.equal(
      (await setInstallerIcon(service, installer, 'house', { ...manager, expectedRevision: '2' })).status,
      400,
    );
  });

  test('[installers.02, installers.03, installers.09] an icon is written under the current revision, once', async () => {
    const installer = await create();
    const reply = await setInstallerIcon(service, installer, 'person_star', manager);
    assert.equal(reply.status, 200, reply.text);
    assert.partialDeepStrictEqual(reply.json, {
      installer: { iconKid: 'person_star' },
      iconRevision: '2',
      canEdit: true,
    });
    assert.deepEqual((await get(installer)).json, reply.json);
    const { audit } = await readInstallerRecord(service, installer);
    assert.deepEqual(audit, [
      {
        operation: 'SetInstallerIcon',
        actor_id: manager.managerId,
        old_values: '{"icon":"person"}',
        new_values: '{"icon":"person_star"}',
      },
    ]);
    const stored = await readInstallerContent(service, installer);
    for (const expectedRevision of ['1', '3', '', '02']) {
      const stale = await setInstallerIcon(service, installer, 'person_chef', { ...manager, expectedRevision });
      assert.deepEqual([stale.status, stale.json.code], [409, 'installer-icon-conflict'], expectedRevision);
    }
    const unchanged = await setInstallerIcon(service, installer, 'person_star', { ...manager, expectedRevision: '2' });
    assert.deepEqual([unchanged.status, unchanged.json.iconRevision], [200, '2']);
    assert.deepEqual(await readInstallerContent(service, installer), stored);
  });

  test('[installers.10] only an icon of a person is accepted', async () => {
    const stored = await readInstallerContent(service, id);
    for (const icon of ['house', 'none', '', 'Person', 'person~n5', 'persons', 'coin_box', 5, null]) {
      const { status, json } = await setInstallerIcon(service, id, icon, manager);
      assert.deepEqual([status, json.code, json.errors[0].path], [400, 'invalid-request', 'body.icon'], String(icon));
    }
    for (const body of [{}, { icon: 'person' }, { icon: 'person', expectedRevision: '1', name: 'x' }, []]) {
      const { status } = await service.call('PUT', installerPath(id, '/icon'), { ...manager, body });
      assert.equal(status, 400);
    }
    assert.deepEqual(await readInstallerContent(service, id), stored);
  });

  const asks: Record<string, (options: CallOptions) => Promise<HttpReply>> = {
    GetInstallers: (options) => service.call('GET', installersPath, options),
    GetInstaller: (options) => get(id, options),
    SetInstallerIcon: (options) => setInstallerIcon(service, id, 'person_chef', options),
  };

  test('[installers.01, installers.02] Tab, permissions and a tenant-wide grant are each needed', async () => {
    const stored = await readInstallerContent(service, id);
    const refused: [options: ManagerOptions, reason: string, ids: string[]][] = [
      [{ tabs: tabs.filter((tab) => tab !== 'Installers1') }, 'missing-tab', Object.keys(asks)],
      [
        { permissions: permissions.filter((each) => each !== 'Installer.Read') },
        'missing-installer-read',
        Object.keys(asks),
      ],
      [
        { permissions: permissions.filter((each) => each !== 'Installer.Write') },
        'missing-installer-write',
        ['SetInstallerIcon'],
      ],
      [{ grants: [{ bankId: 1001, locationId: 0 }] }, 'too-narrow', Object.keys(asks)],
    ];
    for (const [options, reason, ids] of refused) {
      const token = await issueToken(options);
      for (const each of ids) {
        const { status, json } = await asks[each]!({ token });
        assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', reason], each);
      }
    }
    for (const [each, ask] of Object.entries(asks)) assert.equal((await ask({})).status, 401, each);
    const least = await issueToken({ tabs: ['Installers1'], permissions: ['Installer.Read', 'Installer.Write'] });
    assert.equal((await setInstallerIcon(service, id, 'person', { token: least })).status, 200);
    assert.deepEqual(await readInstallerContent(service, id), stored);
  });

  test('a KID that is malformed, foreign or of another type is 400; an installer who does not exist is 404', async () => {
    for (const kid of ['fjord-I2001', 'sund-M2001', 'sund-B0-M3', 'sund-I0', 'sund-I02001', 'sund', 'I2001'])
      for (const [method, rest, body] of [
        ['GET', '', undefined],
        ['PUT', '/icon', { icon: 'person', expectedRevision: '1' }],
      ] as const) {
        const { status, json } = await service.call(method, `${installersPath}/${kid}${rest}`, { ...manager, body });
        assert.deepEqual([status, json.code], [400, 'invalid-kid'], kid);
      }
    for (const reply of [await get(99), await setInstallerIcon(service, 99, 'person', manager)])
      assert.deepEqual([reply.status, reply.json.code], [404, 'not-found']);
  });

  test('[installers.03] of many concurrent writes one succeeds', async () => {
    const installer = await create();
    const icons = listIconNames('persons').filter((icon) => icon !== 'person');
    const replies = await runInParallel(icons.length, (at) =>
      setInstallerIcon(replicaFor(at), installer, icons[at], manager),
    );
    assert.deepEqual(countOutcomes(replies), { '200': 1, '409 installer-icon-conflict': icons.length - 1 });
    const { row, audit } = await readInstallerRecord(service, installer);
    const written = replies.findIndex(({ status }) => status === 200);
    assert.deepEqual([row.person_icon, row.icon_revision, audit.length], [icons[written], 2, 1]);
  });

  test('a repeated write with an Idempotency-Key gets the first answer, and happens once', async () => {
    const installer = await create();
    const options = { ...manager, headers: { 'idempotency-key': 'choose' } };
    await setInstallerIcon(service, installer, 'person_star', options);
    const again = await setInstallerIcon(service, installer, 'person_star', options);
    assert.deepEqual([isReplay(again), again.json.iconRevision], [true, '2']);
  });

  test('while storage is away every operation is 503', async () => {
    for (const [each, ask] of Object.entries(asks)) {
      const { status, json } = await callWithoutStorage(service, () => ask(manager), 'installers');
      assert.equal(status, 503, each);
      assert.match(json.code, /^storage-/);
    }
  });
});
