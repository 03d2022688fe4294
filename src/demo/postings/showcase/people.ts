// Whose posting it is: a guest's, a resident's whose identity has expired though the line is recent, or nobody's that
// is still known.

import { gdprUserId, guestUserId } from '../../../lib/kid.ts';
import { consumptionDraft } from '../posting-drafts.ts';
import { inOpenPeriod, minutesAgo, type ShowcaseCase, type ShowcaseContext } from './showcase-context.ts';

export function peopleCases(stage: ShowcaseContext): ShowcaseCase[] {
  const { scene, random, now, units } = stage;
  const expired = scene.residents.filter(({ expiredAt }) => expiredAt !== null && expiredAt <= now);
  const people = [
    guestUserId,
    guestUserId,
    gdprUserId,
    gdprUserId,
    ...expired.slice(0, 3).map(({ residentId }) => residentId),
  ];
  return people.map((userId, index) => {
    const at = minutesAgo(stage, 2500 - 20 * index);
    return inOpenPeriod(
      stage,
      consumptionDraft(scene, random, { at, userId, unit: units[0], documentId: 90_000_100 + index }),
    );
  });
}
