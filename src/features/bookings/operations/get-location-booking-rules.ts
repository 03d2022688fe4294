// Reading the booking rules of a location: what is configured, whoever asks and whenever.

import type { Db } from '../../../database/db.ts';
import { formatKid, type KidOf } from '../../../lib/kid.ts';
import { localisedTexts, type Language } from '../../../lib/language.ts';
import { requireCoveredLocation } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { requireLocation } from '../../places/queries/visible-places.ts';
import { listStoredSettings } from '../../units/queries/stored-settings.ts';
import { groupVisibleValuesByUnit } from '../../units/rules/visible-values.ts';
import { groupByPolicy, type PolicyGroup } from '../rules/policy-groups.ts';
import { listBookingRules } from '../rules/booking-rules.ts';
import { policySettings } from '../rules/policy.ts';
import { listPolicyWarnings } from '../rules/policy-warnings.ts';
import { toRule, toWarning, type BookingRulesGroup } from '../booking-rules-schemas.ts';
import { createTextFormatter, createTextValueFormatter, type TextFormatter } from '../rules/text-format.ts';

const ruleAndWarningTexts = { rules: localisedTexts('bookingRules'), warnings: localisedTexts('bookingWarnings') };

type RuleFormatContext = {
  readonly formatRule: TextFormatter;
  readonly formatWarning: TextFormatter;
  readonly currency: string;
};

export async function getLocationBookingRules(db: Db, scope: Scope, location: KidOf<'location'>, language: Language) {
  const grantedLocation = requireCoveredLocation(scope, location);
  const [{ currency }, storedSettings] = await Promise.all([
    requireLocation(db, grantedLocation),
    listStoredSettings(db, grantedLocation, policySettings),
  ]);
  const formatValue = createTextValueFormatter(language, currency);
  const formatContext: RuleFormatContext = {
    formatRule: createTextFormatter(ruleAndWarningTexts.rules[language], formatValue),
    formatWarning: createTextFormatter(ruleAndWarningTexts.warnings[language], formatValue),
    currency,
  };
  return {
    locationKid: formatKid(location),
    groups: groupByPolicy(groupVisibleValuesByUnit(storedSettings)).map((group) =>
      toBookingRulesGroup(location, group, formatContext),
    ),
  };
}

function toBookingRulesGroup(
  location: KidOf<'location'>,
  { unitIds, policy, invalid }: PolicyGroup,
  { formatRule, formatWarning, currency }: RuleFormatContext,
): BookingRulesGroup {
  return {
    calendar: policy.calendar,
    unitKids: unitIds.map((unitId) => formatKid({ ...location, type: 'unit', unitId })),
    rules: listBookingRules(policy).map((each) => toRule(each, formatRule, currency)),
    warnings: listPolicyWarnings(policy, invalid).map((each) => toWarning(each, formatWarning)),
  };
}
