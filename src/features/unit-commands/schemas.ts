// The shapes of commands of units.

import { Type, type Static } from 'typebox';
import { namedBody, namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { closedObject, instant, int32 } from '../../http/schemas/schema-types.ts';
import { listResponse, paginationQuery } from '../../http/schemas/list-schemas.ts';
import { UnitCommandName } from '../units/schemas.ts';
import { commandStates } from './rules/command-state.ts';

export const UnitCommandsQuery = closedObject(paginationQuery);

export const NewUnitCommand = namedBody('NewUnitCommand', {
  name: UnitCommandName,
  ttlSeconds: Type.Optional(
    int32({
      minimum: 5,
      maximum: 86_400,
      default: 300,
      description: 'For how long the device may still carry it out.',
      examples: [60],
    }),
  ),
});

export const UnitCommand = namedObject('UnitCommand', {
  id: Type.String({ pattern: '^C[1-9][0-9]*$', description: 'As devices know it.', examples: ['C55'] }),
  name: UnitCommandName,
  label: Type.String({ description: 'What the command does, in the language of the response.' }),
  state: namedEnum(
    'UnitCommandState',
    commandStates,
    'queued: the device was not told yet; sent: it was told; done, failed: what the device says; expired: nothing was heard in time. A result that comes late counts.',
  ),
  createdUtc: instant('When it was sent by the manager.'),
  createdBy: nullable(Type.String({ description: 'Name of the manager.' })),
  expiresUtc: instant('Until when the device may carry it out.'),
  finishedUtc: nullable(instant('When the device carried it out, or failed to.')),
  code: nullable(Type.String({ description: 'What the device says of its failure.' })),
});
export type UnitCommand = Static<typeof UnitCommand>;

export const UnitCommandPage = listResponse('UnitCommandPage', UnitCommand);
