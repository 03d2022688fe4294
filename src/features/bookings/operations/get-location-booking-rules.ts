// GetLocationBookingRules: lists the configured booking rules of a location's units, with warnings about them.

import bookingRules from '../../../../locales/booking-rules.json' with { type: 'json' };
import bookingWarnings from '../../../../locales/booking-warnings.json' with { type: 'json' };
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid, type KidOf } from '../../../lib/kid.ts';
import { localisedTexts } from '../../../lib/text/language.ts';
import { requireCoveredLocation } from '../../../permissions/coverage.ts';
import { requireLocation } from '../../places/require-place.ts';
import { listStoredSettings } from '../../units/queries/unit-values.ts';
import { groupVisibleValuesByUnit } from '../../units/rules/visible-values.ts';
import { toBookingRulesGroup } from '../booking-rules-answers.ts';
import { groupByPolicy } from '../rules/policy-groups.ts';
import { policySettings } from '../rules/policy.ts';
import { createTextFormatter, createTextValueFormatter } from '../rules/text-format.ts';

const ruleTexts = localisedTexts(bookingRules);
const warningTexts = localisedTexts(bookingWarnings);

export function getLocationBookingRules(context: ManagerContext, locationKid: KidOf<'location'>) {
  const { scope, language } = context;
  const location = requireCoveredLocation(scope, locationKid);
  return context.read(async (db) => {
    const [{ currency }, storedSettings] = await Promise.all([
      requireLocation(db, location),
      listStoredSettings(db, location, policySettings),
    ]);
    const formatValue = createTextValueFormatter(language, currency);
    const groupContext = {
      locationKid: formatKid(locationKid),
      currency,
      formatRule: createTextFormatter(ruleTexts[language], formatValue),
      formatWarning: createTextFormatter(warningTexts[language], formatValue),
    };
    const groups = groupByPolicy(groupVisibleValuesByUnit(storedSettings));
    return {
      locationKid: groupContext.locationKid,
      groups: groups.map((group) => toBookingRulesGroup(group, groupContext)),
    };
  });
}
