// `npm run test:cluster`: tests faults in a cluster of MariaDB nodes, replicas of the service and a balancer, under load,
// and prints figures. `-- --long` runs every round in full, and `-- WORD` runs the rounds whose names contain the word.

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
