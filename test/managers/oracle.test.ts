// Generated managers and edits of their permissions, against an oracle that keeps permissions as the bits of a number.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToken } from '../support/factories.ts';
import { getManager, listPermissions, setPermission, setRole } from '../support/manager-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { permissions, tabs } from '../../src/permissions/matrix.ts';

const bitOf = (permission: string): number => 1 << permissions.indexOf(permission as (typeof permissions)[number]);
const maskOf = (names: string): number => names.split(' ').reduce((mask, name) => mask | bitOf(name), 0);
const everything = (1 << permissions.length) - 1;
const [readBit, writeBit] = [bitOf('Managers.Read'), bitOf('Managers.Write')];

const roles: Readonly<Record<string, number>> = {
  Reader: maskOf('Bank.Read Location.Read Unit.Read User.Read Installer.Read Managers.Read Service.Read'),
  Operator: maskOf(
    'Bank.Read Bank.Write Location.Read Location.Write Unit.Read Unit.Write User.Read User.Write User.Create',
  ),
  Administrator: everything,
  Support: maskOf('Bank.Read Location.Read Unit.Read User.Read Installer.Read'),
  None: 0,
};

type Model = { mask: number; revision: number; hasTab: boolean; isWide: boolean; isActive: boolean };
type Edit = { editor: number; target: number; permission: string; granted: boolean; role: string; isStale: boolean };

const anyModel: fc.Arbitrary<Model> = fc.record({
  mask: fc.oneof(
    { weight: 3, arbitrary: fc.constant(everything) },
    fc.nat(everything).map((mask) => mask | readBit | writeBit),
    fc.nat(everything),
  ),
  revision: fc.constant(1),
  hasTab: fc.constantFrom(true, true, true, false),
  isWide: fc.constantFrom(true, true, false),
  isActive: fc.constantFrom(true, true, false),
});
const anyEdit: fc.Arbitrary<Edit> = fc.record({
  editor: fc.nat(2),
  target: fc.nat(2),
  permission: fc.oneof(fc.constantFrom(...permissions), fc.constantFrom('Managers.Read', 'Managers.Write')),
  granted: fc.boolean(),
  role: fc.constantFrom('', '', ...Object.keys(roles)),
  isStale: fc.constantFrom(false, false, false, false, true),
});

/** These meet the outcomes that the others may miss. */
const certain = { revision: 1, hasTab: true, isWide: true, isActive: true };
const certainModels: [Model, Model, Model] = [
  { ...certain, mask: everything },
  { ...certain, mask: readBit | writeBit },
  { ...certain, mask: 0, isActive: false },
];
const edit = { permission: 'Bank.Read', role: '', isStale: false };
const certainEdits: Edit[] = [
  { ...edit, editor: 0, target: 0, granted: false },
  { ...edit, editor: 0, target: 2, granted: true, isStale: true },
  { ...edit, editor: 1, target: 2, granted: true },
  { ...edit, editor: 0, target: 2, granted: true },
];

/** A sole administrator who would remove their own right to administer, and who withdraws a permission and takes it back. */
const soleModels: typeof certainModels = [
  { ...certain, mask: everything },
  { ...certain, mask: everything, isActive: false },
  { ...certain, mask: everything, isWide: false },
];
const soleEdits: Edit[] = [
  { ...edit, editor: 0, target: 0, granted: false, role: 'None' },
  { ...edit, editor: 0, target: 0, granted: false, permission: 'Managers.Write' },
  { ...edit, editor: 0, target: 0, granted: false },
  { ...edit, editor: 0, target: 2, granted: false },
  { ...edit, editor: 0, target: 0, granted: true },
];

const isAdministrator = ({ mask, hasTab, isWide, isActive }: Model): boolean =>
  isActive && isWide && hasTab && (mask & readBit) !== 0 && (mask & writeBit) !== 0;

/** The outcome, and the change where there is one. */
function apply(models: readonly Model[], { editor, target, permission, granted, role, isStale }: Edit): string {
  const [by, on] = [models[editor]!, models[target]!];
  if (!by.isActive) return '401 unauthenticated';
  if (!by.hasTab) return '403 forbidden missing-tab';
  if ((by.mask & readBit) === 0) return '403 forbidden missing-managers-read';
  if ((by.mask & writeBit) === 0) return '403 forbidden missing-managers-write';
  if (!by.isWide) return '403 forbidden too-narrow';
  if (by === on && models.filter(({ isWide, isActive }) => isWide && isActive).length > 1) return '403 own-permissions';
  if (isStale) return '409 manager-conflict';
  const bit = bitOf(permission);
  const wanted = role !== '' ? roles[role]! : granted ? on.mask | bit : on.mask & ~bit;
  if (by !== on && ((wanted ^ on.mask) & ~by.mask) !== 0) return '403 forbidden not-held';
  if (wanted === on.mask) return '200';
  const after = models.map((each) => (each === on ? { ...each, mask: wanted } : each));
  if (!after.some(isAdministrator)) return '422 last-administrator';
  on.mask = wanted;
  on.revision += 1;
  return '200';
}

serviceSuite({ now: testNow, manager: false }, ({ service }) => {
  test('[managers.07, managers.08, managers.09, managers.29, managers.30] edits of generated managers end as an oracle expects', async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(anyModel, anyModel, anyModel),
        fc.array(anyEdit, { minLength: 12, maxLength: 12 }),
        async (drawn, edits) => {
          const models = drawn.map((each) => ({ ...each }));
          await service.write('sund', (db) => db.updateTable('managers').set({ active: 0 }).execute());
          const made: { token: string; managerId: number }[] = [];
          for (const { mask, hasTab, isWide, isActive } of models)
            made.push(
              await createToken(service, {
                permissions: permissions.filter((_, at) => (mask & (1 << at)) !== 0),
                tabs: hasTab ? ['Managers1'] : tabs.filter((tab) => tab !== 'Managers1'),
                grants: [{ bankId: isWide ? 0 : 1001, locationId: 0 }],
                active: isActive,
              }),
            );
          for (const each of edits) {
            const { managerId } = made[each.target]!;
            const expectedRevision = each.isStale ? '0' : String(models[each.target]!.revision);
            const options = { token: made[each.editor]!.token };
            const { permission, granted, role } = each;
            const { status, json } =
              role === ''
                ? await setPermission(service, managerId, { permission, granted, expectedRevision }, options)
                : await setRole(service, managerId, { role, expectedRevision }, options);
            const outcome = [status, ...(status === 200 ? [] : [json.code, json.reason])].filter(Boolean).join(' ');
            assert.equal(outcome, apply(models, each), JSON.stringify({ models, each }));
            outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          }
          const { token } = await createToken(service);
          for (const [at, { managerId }] of made.entries()) {
            const { json } = await getManager(service, { token }, managerId);
            assert.equal(json.permissionRevision, String(models[at]!.revision));
            const held: string[] = listPermissions(json.permissions);
            assert.equal(
              held.reduce((mask, name) => mask | bitOf(name), 0),
              models[at]!.mask,
            );
          }
        },
      ),
      {
        numRuns: service.engine === 'sqlite' ? 30 : 12,
        examples: [
          [certainModels, certainEdits],
          [soleModels, soleEdits],
        ],
      },
    );
    for (const met of [
      '200',
      '403 own-permissions',
      '403 forbidden not-held',
      '409 manager-conflict',
      '422 last-administrator',
    ])
      assert.ok((outcomes.get(met) ?? 0) > 0, met);
  });
});
