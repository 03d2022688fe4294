// Creates the groups of a response with booking rules, with texts in the language of the response.

import { toJsonInt64 } from '../../lib/values/int64.ts';
import { formatUnitKid } from '../../lib/kid.ts';
import type { BookingRulesGroup, BookingRule, BookingWarning } from './booking-rules-schemas.ts';
import { listBookingRules, type ConfiguredRule, type RuleValue } from './rules/booking-rules.ts';
import type { PolicyGroup } from './rules/policy-groups.ts';
import { listPolicyWarnings, type PolicyWarning } from './rules/policy-warnings.ts';
import type { TextFormatter } from './rules/text-format.ts';

type GroupContext = {
  readonly locationKid: string;
  /** ISO 4217, of all amounts. */
  readonly currency: string;
  readonly formatRule: TextFormatter;
  readonly formatWarning: TextFormatter;
};

export function toBookingRulesGroup(
  { unitIds, policy, invalid }: PolicyGroup,
  { locationKid, currency, formatRule, formatWarning }: GroupContext,
): BookingRulesGroup {
  return {
    calendar: policy.calendar,
    unitKids: unitIds.map((unitId) => formatUnitKid(locationKid, unitId)),
    rules: listBookingRules(policy).map((rule) => toBookingRule(rule, formatRule, currency)),
    warnings: listPolicyWarnings(policy, invalid).map((warning) => toBookingWarning(warning, formatWarning)),
  };
}

function toBookingRule(
  { code, value, textKey, textValues }: ConfiguredRule,
  formatText: TextFormatter,
  currency: string,
): BookingRule {
  return { code, text: formatText(textKey, textValues), value: toRuleValueJson(value, currency) } as BookingRule;
}

const toRuleValueJson = (value: RuleValue, currency: string): unknown =>
  typeof value === 'object' && 'amountMinor' in value
    ? { amountMinor: toJsonInt64(value.amountMinor), currency }
    : value;

const toBookingWarning = ({ code, textValues }: PolicyWarning, formatText: TextFormatter): BookingWarning => ({
  code,
  text: formatText(code, textValues),
});
