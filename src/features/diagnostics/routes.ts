// Declares GetLiveLogs.

import { defineManagerOperation, type Operation } from '../../http/operation.ts';
import { logsAccess } from '../hosting/access.ts';
import { createLiveLogCards, type LiveLogCardsDependencies } from './live-log-cards.ts';
import { getLiveLogs } from './operations/get-live-logs.ts';
import { LiveLogs } from './schemas.ts';

export function diagnosticsRoutes(dependencies: LiveLogCardsDependencies): Operation[] {
  const cards = createLiveLogCards(dependencies);
  return [
    defineManagerOperation({
      id: 'GetLiveLogs',
      method: 'GET',
      path: '/api/v1/diagnostics/live-logs',
      documents: ['portal'],
      group: 'Diagnostics',
      summary: 'What the programs of the portal did lately',
      description:
        'A card for each of the programs portal-api, equipment-api and portal-web, with its events of the last 15 minutes, the newest first, and at most 100. portal-api is the process that answers: it begins anew when it is started, and other replicas have their own events. It shows the events of this tenant, and those of none. Its buffer holds 100 events of all tenants. The others are asked at most every three seconds; one that fails says so in its card, and the status stays 200. Nothing secret or personal is shown: messages come without their arguments, save for `fields`, and without the texts of errors.',
      access: logsAccess,
      managersOnly: true,
      isPolled: true,
      response: LiveLogs,
      deadlineMs: 10_000,
      run: (_input, context) => getLiveLogs(context, cards),
    }),
  ];
}
