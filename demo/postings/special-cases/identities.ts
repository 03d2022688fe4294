// Special cases of identities: postings of a guest, of a resident whose identity has expired although the posting is
// recent, and of the GDPR user.

import { gdprUserId, guestId } from '../../../src/lib/kid.ts';
import { consumptionDraft } from '../posting-drafts.ts';
import { inOpenPeriod, minutesAgo, type SpecialCase, type SpecialCaseContext } from './special-case-context.ts';

export function identityCases(context: SpecialCaseContext): SpecialCase[] {
  const { scenario, random, now, units } = context;
  const expired = scenario.residents.filter(({ expiredAt }) => expiredAt !== null && expiredAt <= now);
  const people = [guestId, guestId, gdprUserId, gdprUserId, ...expired.slice(0, 3).map(({ residentId }) => residentId)];
  return people.map((residentId, index) => {
    const recordedAt = minutesAgo(context, 2500 - 20 * index);
    return inOpenPeriod(
      context,
      consumptionDraft(scenario, random, { recordedAt, residentId, unit: units[0], documentId: 90_000_100 + index }),
    );
  });
}
