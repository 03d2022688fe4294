// Tests of the service while its machine, its disk, its clock, its network or its clients misbehave; they print their
// figures. `npm run test:faults -- [--long] [--seed TEXT] [parts of names]`

import { clockJumps } from '../test/faults/clock-jumps.ts';
import { equipmentOnGalera } from '../test/faults/equipment-on-galera.ts';
import { failingConnection } from '../test/faults/failing-connection.ts';
import { failingStatements } from '../test/faults/failing-statements.ts';
import { fullDisk } from '../test/faults/full-disk.ts';
import { overload } from '../test/faults/overload.ts';
import { soak } from '../test/faults/soak.ts';
import { runRounds } from '../test/rounds/run-rounds.ts';
import { shareWithTestFiles, startMariaDb } from '../test/support/mariadb-server.ts';

/** It takes too long for every change. */
const isAsked = process.argv.some((argument) => argument === '--long' || argument.includes('galera'));
const server = await startMariaDb();
if (server !== undefined) shareWithTestFiles(server);
try {
  await runRounds([
    failingStatements('sqlite'),
    failingStatements('mariadb'),
    failingConnection,
    overload('sqlite'),
    overload('mariadb'),
    fullDisk,
    clockJumps,
    soak,
    ...(isAsked ? [equipmentOnGalera] : []),
  ]);
} finally {
  await server?.stop();
}
