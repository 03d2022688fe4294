// Declares GetDesired and GetSnapshot for computers, and GetDeviceSyncs and RetryDeviceSync for managers.

import { defineComputerOperation, type Operation } from '../../http/operations/operation.ts';
import { streamed, streamedOrJson } from '../../http/operations/response.ts';
import { getDesired } from './operations/get-desired.ts';
import { getSnapshot } from './operations/get-snapshot.ts';
import type { DesiredWaiters } from './process/desired-waiters.ts';
import { DesiredChanges, DesiredQuery } from './schemas.ts';

const common = { openApiDocuments: ['equipment'], group: 'Equipment' } as const;

export const desiredStateRoutes = (dependencies: { readonly waiters: DesiredWaiters }): Operation[] => [
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
    deadlineMs: 30_000,
    run: (_input, context) => getSnapshot(context),
  }),
];
