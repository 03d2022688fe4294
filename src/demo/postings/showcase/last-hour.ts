// Purchases of the last hour, which the public statistics count.

import { consumption } from '../drafts.ts';
import { lately, minutesAgo, type Case, type Stage } from './stage.ts';

const minutes = [55, 47, 41, 34, 26, 19, 11, 6, 2];

export function lastHour(stage: Stage): Case[] {
  const { scene, random, neighbours, units } = stage;
  return minutes.map((ago, index) => {
    const [userId, unit] = [neighbours[index % 3]?.residentId ?? 0, units[index % 2] ?? units[0]];
    const at = minutesAgo(stage, ago);
    return lately(stage, consumption(scene, random, { at, userId, unit, documentId: 90_000_200 + index }));
  });
}
