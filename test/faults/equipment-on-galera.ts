// The campaign of faults of equipment over a Galera cluster whose writing node is killed: each line arrives once.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatStorageUrl } from '../galera/support/galera-services.ts';
import { startCluster } from '../galera/support/galera-cluster.ts';
import { runCampaign } from '../inflow/campaign/run-campaign.ts';
import type { Round } from '../rounds/run-rounds.ts';

/** Too long for every change: its short form is for those who work on it. */
export const equipmentOnGalera: Round = {
  name: 'equipment on galera',
  needs: ['mariadbd', 'mariadb-install-db', 'libgalera', 'rsync', 'socat'],
  run: async ({ isLong, seed }) => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-campaign-'));
    const cluster = await startCluster();
    const [writing] = cluster.nodes;
    try {
      const { kills, faults, answers, ...figures } = await runCampaign({
        storageUrl: formatStorageUrl(cluster.nodes),
        folder,
        computers: isLong ? 40 : 4,
        lineCount: isLong ? 500 : 30,
        kills: isLong ? 24 : 4,
        services: 2,
        seed,
        restartDatabase: async () => {
          await writing?.kill();
          await writing?.restart();
        },
      });
      return {
        ...figures,
        kills: JSON.stringify(kills),
        'cut connections': JSON.stringify(faults),
        answers: JSON.stringify(answers),
        'lines lost or doubled': 0,
      };
    } finally {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
