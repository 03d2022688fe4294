// Faults in a cluster of MariaDB nodes, replicas of the service and a balancer, under load; prints figures:
// `npm run test:cluster [-- --long] [-- WORD of a round's name]`

import { createClusterRounds } from '../test/cluster/cluster-rounds.ts';
import { runRounds } from '../test/rounds/run-rounds.ts';

const { short, all, stop } = createClusterRounds();
// A round that is asked for by its name is run, whatever its form.
const isShort = process.argv.length === 2;
try {
  await runRounds(isShort ? short : all);
} finally {
  await stop();
}
