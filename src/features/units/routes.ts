// Declares GetUnitOverview, GetUnitGroup, GetUnitSettingHistory and SetUnitSetting.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { setUnitSettingAccess, unitReadAccess } from './access.ts';
import { getUnitGroup } from './operations/get-unit-group.ts';
import { getUnitOverview } from './operations/get-unit-overview.ts';
import { getUnitSettingHistory } from './operations/get-unit-setting-history.ts';
import { setUnitSetting } from './operations/set-unit-setting.ts';
import {
  UnitGroupParams,
  SettingHistoryQuery,
  SettingUpdate,
  SettingHistoryPage,
  UnitSettingParams,
  UnitGroup,
  UnitOverview,
  UnitParams,
  UnitValue,
} from './schemas.ts';

const common = {
  openApiDocuments: ['portal'],
  group: 'Locations and units',
  localised: true,
  deadlineMs: 10_000,
} as const;

export const unitsRoutes: readonly Operation[] = [
  defineManagerOperation({
    ...common,
    id: 'GetUnitOverview',
    method: 'GET',
    path: '/api/v1/units/{unitKid}',
    summary: 'Read a unit, the groups of its settings and states, and its commands',
    description:
      'The groups of the unit’s type, each with the number of its settings or states; GetUnitGroup returns their values.',
    access: unitReadAccess,
    params: UnitParams,
    response: jsonOf(UnitOverview),
    problemCodes: ['not-found'],
    run: ({ params }, context) => getUnitOverview(context, params.unitKid),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetUnitGroup',
    method: 'GET',
    path: '/api/v1/units/{unitKid}/groups/{group}',
    summary: 'Read the settings or states of a group',
    description: 'A setting that was never written has its default value, or null if it has none.',
    access: unitReadAccess,
    params: UnitGroupParams,
    response: jsonOf(UnitGroup),
    problemCodes: ['not-found'],
    run: ({ params }, context) => getUnitGroup(context, params),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetUnitSettingHistory',
    method: 'GET',
    path: '/api/v1/units/{unitKid}/settings/{setting}/history',
    summary: 'List the history of a setting, newest first',
    description:
      'Every value that was written, with who wrote it and whether the equipment has confirmed it. States have no history: they are 404.',
    access: unitReadAccess,
    params: UnitSettingParams,
    query: SettingHistoryQuery,
    response: jsonOf(SettingHistoryPage),
    problemCodes: ['not-found'],
    run: ({ params, query }, context) => getUnitSettingHistory(context, { ...params, pagination: query }),
  }),
  defineManagerOperation({
    ...common,
    id: 'SetUnitSetting',
    method: 'PUT',
    path: '/api/v1/units/{unitKid}/settings/{setting}',
    summary: 'Write a setting of a unit',
    description:
      'Writes the value if expectedRevision is the current revision (409 otherwise). The value is sent to the equipment afterwards; synced is true once the equipment has confirmed it. Writing the current value changes nothing.',
    access: setUnitSettingAccess,
    params: UnitSettingParams,
    body: SettingUpdate,
    response: jsonOf(UnitValue),
    validationProblem: { body: 'invalid-setting' },
    problemCodes: ['not-found', 'setting-conflict', 'read-only-setting', 'invalid-setting'],
    acceptsIdempotencyKey: true,
    run: ({ params, body }, context) => setUnitSetting(context, { ...params, ...body }),
  }),
];
