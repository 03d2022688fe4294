// GetUnitOverview, GetUnitGroup, GetUnitSettingHistory and SetUnitSetting.

import { defineManagerOperation, type OperationAccess, type Operation } from '../../http/operation.ts';
import { anyTab, type Permission } from '../../permissions/matrix.ts';
import { getUnitSettingHistory, getUnitGroup, getUnitOverview } from './operations/get-unit-group.ts';
import {
  GroupParams,
  HistoryQuery,
  SettingBody,
  SettingHistoryAnswer,
  SettingParams,
  UnitGroupAnswer,
  UnitOverviewAnswer,
  UnitParams,
  ValueRow,
} from './schemas.ts';
import { setUnitSetting } from './operations/set-unit-setting.ts';

const readPermissions: readonly Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read'];
const readAccess: OperationAccess = { tabs: anyTab, permissions: readPermissions, grantLevel: 'location' };
const writeAccess: OperationAccess = { ...readAccess, permissions: [...readPermissions, 'Unit.Write'] };

const common = { documents: ['portal'], group: 'Locations and units', localised: true, deadlineMs: 10_000 } as const;

export function unitsRoutes(): Operation[] {
  return [
    defineManagerOperation({
      ...common,
      id: 'GetUnitOverview',
      method: 'GET',
      path: '/api/v1/units/{unitKid}',
      summary: 'Read a unit and the groups of its settings and states',
      access: readAccess,
      params: UnitParams,
      response: UnitOverviewAnswer,
      problemCodes: ['not-found'],
      run: ({ params: { unitKid } }, context) => context.read((db) => getUnitOverview(db, context, unitKid)),
    }),
    defineManagerOperation({
      ...common,
      id: 'GetUnitGroup',
      method: 'GET',
      path: '/api/v1/units/{unitKid}/groups/{group}',
      summary: 'Read the settings or states of a group',
      description: 'What was never given has the default of the catalogue, or null where there is none.',
      access: readAccess,
      params: GroupParams,
      response: UnitGroupAnswer,
      problemCodes: ['not-found'],
      run: ({ params: { unitKid, group } }, context) => context.read((db) => getUnitGroup(db, context, unitKid, group)),
    }),
    defineManagerOperation({
      ...common,
      id: 'GetUnitSettingHistory',
      method: 'GET',
      path: '/api/v1/units/{unitKid}/settings/{setting}/history',
      summary: 'List what a setting was ever given, newest first',
      access: readAccess,
      params: SettingParams,
      query: HistoryQuery,
      response: SettingHistoryAnswer,
      problemCodes: ['not-found'],
      run: ({ params: { unitKid, setting }, query }, context) =>
        context.read((db) => getUnitSettingHistory(db, context, unitKid, setting, query)),
    }),
    defineManagerOperation({
      ...common,
      id: 'SetUnitSetting',
      method: 'PUT',
      path: '/api/v1/units/{unitKid}/settings/{setting}',
      summary: 'Write a setting of a unit',
      description:
        'Compares and sets: the revision expected is that of the value. The equipment is told afterwards; synced says when it has the value. A value that holds already changes nothing.',
      access: writeAccess,
      params: SettingParams,
      body: SettingBody,
      response: ValueRow,
      validationProblem: { body: 'invalid-setting' },
      problemCodes: ['not-found', 'setting-conflict', 'read-only-setting', 'invalid-setting'],
      acceptsIdempotencyKey: true,
      run: ({ params: { unitKid, setting }, body: { value, expectedRevision } }, context) =>
        setUnitSetting(context, { at: unitKid, name: setting, value, expectedRevision }),
    }),
  ];
}
