// GetLocationBookingRules: lists the configured booking rules of a location's units, with warnings about them, in the
// language of the response.

import bookingRules from '../../../../locales/booking-rules.json' with { type: 'json' };
import bookingWarnings from '../../../../locales/booking-warnings.json' with { type: 'json' };
import type { BookingRulesGroup, BookingRule, BookingWarning } from '../booking-rules-schemas.ts';
import { listBookingRules, type ConfiguredRule, type RuleValue } from '../rules/booking-rules.ts';
import { groupByPolicy, type PolicyGroup } from '../rules/policy-groups.ts';
import { listPolicyWarnings, type PolicyWarning } from '../rules/policy-warnings.ts';
import { policySettings } from '../rules/policy.ts';
import { createTextFormatter, createTextValueFormatter, type TextFormatter } from '../rules/text-format.ts';
import { requireLocation } from '../../places/require-place.ts';
import { listStoredSettings } from '../../units/queries/unit-values.ts';
import { groupVisibleValuesByUnit } from '../../units/rules/visible-values.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid, type KidOf, formatUnitKid } from '../../../lib/kid.ts';
import { localisedTexts } from '../../../lib/text/language.ts';
import { toJsonInt64 } from '../../../lib/values/int64.ts';
import { requireCoveredLocation } from '../../../permissions/coverage.ts';

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

type GroupContext = {
  readonly locationKid: string;
  /** ISO 4217, of all amounts. */
  readonly currency: string;
  readonly formatRule: TextFormatter;
  readonly formatWarning: TextFormatter;
};

const toBookingRulesGroup = (
  { unitIds, policy, invalid }: PolicyGroup,
  { locationKid, currency, formatRule, formatWarning }: GroupContext,
): BookingRulesGroup => ({
  calendar: policy.calendar,
  unitKids: unitIds.map((unitId) => formatUnitKid(locationKid, unitId)),
  rules: listBookingRules(policy).map((rule) => toBookingRule(rule, formatRule, currency)),
  warnings: listPolicyWarnings(policy, invalid).map((warning) => toBookingWarning(warning, formatWarning)),
});

const toBookingRule = (
  { code, value, textKey, textValues }: ConfiguredRule,
  formatText: TextFormatter,
  currency: string,
): BookingRule =>
  ({ code, text: formatText(textKey, textValues), value: toRuleValueJson(value, currency) }) as BookingRule;

const toRuleValueJson = (value: RuleValue, currency: string): unknown =>
  typeof value === 'object' && 'amountMinor' in value
    ? { amountMinor: toJsonInt64(value.amountMinor), currency }
    : value;

const toBookingWarning = ({ code, textValues }: PolicyWarning, formatText: TextFormatter): BookingWarning => ({
  code,
  text: formatText(code, textValues),
});
