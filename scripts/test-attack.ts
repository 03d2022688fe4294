// `npm run test:attack`: tries what attackers try against the service as a process of its own, on loopback and within
// bounds, and prints figures. `-- --long` runs every round in full, and `-- WORD` runs the rounds whose names contain
// the word.

import { framing } from '../test/attack/framing.ts';
import { injection } from '../test/attack/injection.ts';
import { oneClient } from '../test/attack/one-client.ts';
import { tls } from '../test/attack/tls.ts';
import { http2Floods } from '../test/attack/http2-floods.ts';
import { slowClients } from '../test/attack/slow-clients.ts';
import { runRounds } from '../test/rounds/run-rounds.ts';

await runRounds([framing, http2Floods, slowClients, oneClient, tls, injection]);
