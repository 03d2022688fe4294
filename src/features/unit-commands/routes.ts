// Declares SendUnitCommand and GetUnitCommands.

import { UnitParams } from '../units/schemas.ts';
import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { setUnitSettingAccess, unitReadAccess } from '../units/access.ts';
import { getUnitCommands } from './operations/get-unit-commands.ts';
import { sendUnitCommand } from './operations/send-unit-command.ts';
import { NewUnitCommand, UnitCommand, UnitCommandPage, UnitCommandsQuery } from './schemas.ts';

const common = {
  openApiDocuments: ['portal'],
  group: 'Locations and units',
  path: '/api/v1/units/{unitKid}/commands',
  params: UnitParams,
  localised: true,
  deadlineMs: 10_000,
} as const;

export const unitCommandsRoutes = (): Operation[] => [
  defineManagerOperation({
    ...common,
    id: 'GetUnitCommands',
    method: 'GET',
    summary: 'List the commands that were sent to a unit, newest first',
    description: 'Who sent each command, and what became of it.',
    access: unitReadAccess,
    query: UnitCommandsQuery,
    response: jsonOf(UnitCommandPage),
    problemCodes: ['not-found'],
    run: ({ params: { unitKid }, query: listing }, context) => getUnitCommands(context, { unitKid, listing }),
  }),
  defineManagerOperation({
    ...common,
    id: 'SendUnitCommand',
    method: 'POST',
    summary: 'Send a command to a unit',
    description:
      'Queues the command for the device. It is done only when the device says so: read it with GetUnitCommands. A unit that is offline gets it when it comes back, if it has not expired by then.',
    access: setUnitSettingAccess,
    body: NewUnitCommand,
    response: jsonOf(UnitCommand, { status: 201 }),
    acceptsIdempotencyKey: true,
    problemCodes: ['not-found', 'command-not-supported'],
    run: ({ params: { unitKid }, body }, context) => sendUnitCommand(context, { unitKid, ...body }),
  }),
];
