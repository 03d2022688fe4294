// The long campaign of faults against the Equipment API; it prints its figures. `npm run campaign:equipment -- --help`

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCampaign } from '../test/inflow/campaign/run-campaign.ts';
import { startMariaDb } from '../test/support/mariadb-server.ts';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    engine: { type: 'string', default: 'sqlite' },
    computers: { type: 'string', default: '200' },
    lines: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now()) },
  },
});

if (values.help) {
  console.log('Options: --engine sqlite|mariadb, --computers N, --lines N in all, --kills N, --seed TEXT');
} else {
  await main();
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-campaign-'));
  const server = values.engine === 'mariadb' ? await startMariaDb() : undefined;
  if (values.engine === 'mariadb' && server === undefined) throw new Error('MariaDB is not installed');
  try {
    const computers = Number(values.computers);
    const figures = await runCampaign({
      storageUrl: server?.url('campaign_') ?? `sqlite:${join(folder, 'data')}`,
      folder,
      computers,
      lineCount: Math.ceil(Number(values.lines) / computers / 2),
      kills: Number(values.kills),
      services: 2,
      seed: values.seed,
      ...(server === undefined
        ? {}
        : {
            restartDatabase: async () => {
              server.kill();
              await server.restart();
            },
          }),
    });
    console.log(JSON.stringify({ engine: values.engine, seed: values.seed, ...figures }, null, 2));
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
