// Declares GetDesired and GetSnapshot for computers, and GetDeviceSyncs and RetryDeviceSync for managers.

import { BankParams } from '../places/schemas.ts';
import { defineComputerOperation, defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf, streamed, streamedOrJson } from '../../http/operations/response.ts';
import { setUnitSettingAccess, unitReadAccess } from '../units/access.ts';
import { getDesired, type GetDesiredDependencies } from './operations/get-desired.ts';
import { getDeviceSyncs } from './operations/get-device-syncs.ts';
import { getSnapshot } from './operations/get-snapshot.ts';
import { retryDeviceSync } from './operations/retry-device-sync.ts';
import {
  DesiredChanges,
  DesiredQuery,
  DeviceSync,
  DeviceSyncPage,
  DeviceSyncParams,
  DeviceSyncRetry,
  DeviceSyncsQuery,
} from './schemas.ts';

const common = { openApiDocuments: ['equipment'], group: 'Equipment' } as const;
const commonOfManagers = { openApiDocuments: ['portal'], group: 'Computers', deadlineMs: 10_000 } as const;

export const desiredStateRoutes = (dependencies: GetDesiredDependencies): Operation[] => [
  defineComputerOperation({
    ...common,
    id: 'GetDesired',
    method: 'GET',
    path: '/equipment/v1/desired',
    summary: 'Read what has changed for the units of the computer',
    description:
      'The newest value of each thing that has changed after a version. Waits for a change, if that is asked for. `Accept: text/event-stream` gets server-sent events, whose ids are versions, for up to ten minutes.',
    query: DesiredQuery,
    response: streamedOrJson(['text/event-stream'], DesiredChanges),
    problemCodes: ['resync'],
    isPolled: true,
    isLongPoll: true,
    deadlineMs: 10_000,
    run: ({ query }, context) => getDesired(context, query, dependencies),
  }),
  defineComputerOperation({
    ...common,
    id: 'GetSnapshot',
    method: 'GET',
    path: '/equipment/v1/snapshot',
    summary: 'Read everything that the units of the computer have to know',
    description:
      'JSON Lines, each a thing as GetDesired has it but without `v`, and a last line with `end`, the `version` from which to follow the changes, and the `digests` of the lists.',
    response: streamed(['application/jsonl']),
    isPolled: true,
    deadlineMs: 30_000,
    run: (_input, context) => getSnapshot(context),
  }),
  defineManagerOperation({
    ...commonOfManagers,
    id: 'GetDeviceSyncs',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/device-syncs',
    summary: 'List what was queued for devices',
    description:
      'Newest first: whether devices were told, and what they say. Where the grants cover only some locations: what concerns a unit there.',
    access: unitReadAccess,
    params: BankParams,
    query: DeviceSyncsQuery,
    response: jsonOf(DeviceSyncPage),
    problemCodes: ['not-found'],
    run: ({ params: { bankKid }, query }, context) => getDeviceSyncs(context, { bankKid, ...query }),
  }),
  defineManagerOperation({
    ...commonOfManagers,
    id: 'RetryDeviceSync',
    method: 'POST',
    path: '/api/v1/banks/{bankKid}/device-syncs/{syncId}/retry',
    summary: 'Send again what a device has refused',
    description:
      'Queues the same once more, and returns the new record; the failed one becomes `superseded`. Refused for any other state, for a value that was replaced since, and for a command: send another one.',
    access: setUnitSettingAccess,
    params: DeviceSyncParams,
    body: DeviceSyncRetry,
    maxBodyBytes: 4096,
    response: jsonOf(DeviceSync),
    problemCodes: ['not-found', 'sync-conflict'],
    acceptsIdempotencyKey: true,
    run: ({ params, body }, context) => retryDeviceSync(context, { ...params, ...body }),
  }),
];
