// A short campaign of faults on each engine, with two services on one database. `npm run campaign:equipment` runs a long
// one.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { noMariaDb, startMariaDb, type MariaDb } from '../support/mariadb-server.ts';
import { runCampaign, type CampaignFigures, type CampaignOptions } from './campaign/run-campaign.ts';

const size = { computers: 8, lineCount: 150, services: 2, seed: 'short campaign' };

function requireFaults({ kills, faults, held, booked, lines }: CampaignFigures, expectedKills: number): void {
  assert.equal(
    Object.values(kills).reduce((sum, each) => sum + each),
    expectedKills,
  );
  assert.ok((kills['memory'] ?? 0) > 0, 'no computer lost its memory');
  for (const fault of ['in-request', 'before-answer', 'in-answer'] as const)
    assert.ok(faults[fault] > 0, `no connection was cut ${fault}`);
  assert.ok(held > 0 && booked > held, 'most lines are booked, some held');
  assert.equal(booked + held, lines / 2);
}

describe('while everything is killed, cut and repeated, each line arrives exactly once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-campaign-'));
  let server: MariaDb | undefined;
  after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (options: Pick<CampaignOptions, 'storageUrl' | 'kills' | 'restartDatabase'>): Promise<CampaignFigures> =>
    runCampaign({ ...size, folder, ...options });

  test('on SQLite, with services and computers killed', async () => {
    requireFaults(await run({ storageUrl: `sqlite:${join(folder, 'data')}`, kills: 6 }), 6);
  });

  test('on MariaDB, with the server killed too', { skip: noMariaDb }, async () => {
    const started = await startMariaDb();
    server = started;
    assert.ok(started);
    const restartDatabase = async (): Promise<void> => {
      started.kill();
      await started.restart();
    };
    requireFaults(await run({ storageUrl: started.url('campaign_'), kills: 6, restartDatabase }), 6);
  });
});
