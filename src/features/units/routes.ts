// GetUnitOverview, GetUnitGroup, GetUnitSettingHistory and SetUnitSetting.

import { managerOperation, type Access, type Operation } from '../../http/operation.ts';
import { anyTab, type Permission } from '../../permissions/matrix.ts';
import { readSettingHistory, readUnitGroup, readUnitOverview } from './read.ts';
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
import { setUnitSetting } from './set-setting.ts';

const reads: readonly Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read'];
const reading: Access = { tabs: anyTab, permissions: reads, breadth: 'location' };
const writing: Access = { ...reading, permissions: [...reads, 'Unit.Write'] };

const common = { documents: ['portal'], group: 'Locations and units', localised: true, deadlineMs: 10_000 } as const;

export function unitsRoutes(): Operation[] {
  return [
    managerOperation({
      ...common,
      id: 'GetUnitOverview',
      method: 'GET',
      path: '/api/v1/units/{unitKid}',
      summary: 'Read a unit and the groups of its settings and states',
      access: reading,
      params: UnitParams,
      answer: UnitOverviewAnswer,
      problems: ['not-found'],
      run: ({ params: { unitKid } }, door) => door.read((db) => readUnitOverview(db, door, unitKid)),
    }),
    managerOperation({
      ...common,
      id: 'GetUnitGroup',
      method: 'GET',
      path: '/api/v1/units/{unitKid}/groups/{group}',
      summary: 'Read the settings or states of a group',
      description: 'What was never given has the default of the catalogue, or null where there is none.',
      access: reading,
      params: GroupParams,
      answer: UnitGroupAnswer,
      problems: ['not-found'],
      run: ({ params: { unitKid, group } }, door) => door.read((db) => readUnitGroup(db, door, unitKid, group)),
    }),
    managerOperation({
      ...common,
      id: 'GetUnitSettingHistory',
      method: 'GET',
      path: '/api/v1/units/{unitKid}/settings/{setting}/history',
      summary: 'List what a setting was ever given, newest first',
      access: reading,
      params: SettingParams,
      query: HistoryQuery,
      answer: SettingHistoryAnswer,
      problems: ['not-found'],
      run: ({ params: { unitKid, setting }, query }, door) =>
        door.read((db) => readSettingHistory(db, door, unitKid, setting, query)),
    }),
    managerOperation({
      ...common,
      id: 'SetUnitSetting',
      method: 'PUT',
      path: '/api/v1/units/{unitKid}/settings/{setting}',
      summary: 'Write a setting of a unit',
      description:
        'Compares and sets: the revision expected is that of the value. The equipment is told afterwards; synced says when it has the value. A value that holds already changes nothing.',
      access: writing,
      params: SettingParams,
      body: SettingBody,
      answer: ValueRow,
      invalid: { body: 'invalid-setting' },
      problems: ['not-found', 'setting-conflict', 'read-only-setting', 'invalid-setting'],
      idempotent: true,
      run: ({ params: { unitKid, setting }, body: { value, expectedRevision } }, door) =>
        setUnitSetting(door, { at: unitKid, name: setting, value, expectedRevision }),
    }),
  ];
}
