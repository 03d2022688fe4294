// Reads the status that a MariaDB or MySQL server reports about itself.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { ServerStatus } from '../machine/database-gauge.ts';

export async function readServerStatus(db: Db): Promise<ServerStatus> {
  const [connections, variables] = await Promise.all([
    sql<{ Value: string }>`show global status like 'Threads_connected'`.execute(db),
    sql<{
      hostname: string;
      data_folder: string;
      pid_file: string;
    }>`select @@hostname as hostname, @@datadir as data_folder, @@pid_file as pid_file`.execute(db),
  ]);
  const [count] = connections.rows;
  const [{ hostname, data_folder: dataFolder, pid_file: pidFile } = { hostname: '', data_folder: '', pid_file: '' }] =
    variables.rows;
  return { connections: count === undefined ? null : Number(count.Value), hostname, dataFolder, pidFile };
}
