// Declares GetLiveLogs.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { logsAccess } from '../hosting/access.ts';
import { createLiveLogCards, type LiveLogCardsDependencies } from './process/live-log-cards.ts';
import { getLiveLogs } from './operations/get-live-logs.ts';
import { LiveLogs } from './schemas.ts';

export function diagnosticsRoutes(dependencies: LiveLogCardsDependencies): Operation[] {
  const cards = createLiveLogCards(dependencies);
  return [
    defineManagerOperation({
      id: 'GetLiveLogs',
      method: 'GET',
      path: '/api/v1/diagnostics/live-logs',
      openApiDocuments: ['portal'],
      group: 'Diagnostics',
      summary: 'What the programs of the portal did lately',
      description:
        'A card for each of the programs portal-api, equipment-api and portal-web, with at most 100 events of the last 15 minutes, newest first. portal-api is the process that answers: its events are lost when it restarts, and other replicas have their own events. It shows the events of this tenant and those without a tenant. Its buffer holds 100 events of all tenants. equipment-api is the same for the requests of computers, in a buffer of its own, unless the settings say where another program shows it. Other programs are asked at most every three seconds; if one fails, its card says so, and the status is still 200. Nothing secret or personal is shown: messages come without their arguments, except `fields`, and without the texts of errors.',
      access: logsAccess,
      managersOnly: true,
      isPolled: true,
      response: jsonOf(LiveLogs),
      deadlineMs: 10_000,
      run: (_input, context) => getLiveLogs(context, cards),
    }),
  ];
}
