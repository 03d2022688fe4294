// Makes the groups of a response with booking rules, with their texts in the language of the response.

import { toJsonInt64 } from '../../lib/int64.ts';
import { formatUnitKid } from '../../lib/kid.ts';
import type { BookingRulesGroup, RuleItem, WarningItem } from './booking-rules-schemas.ts';
import { listBookingRules, type BookingRule, type RuleValue } from './rules/booking-rules.ts';
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
    rules: listBookingRules(policy).map((rule) => toRule(rule, formatRule, currency)),
    warnings: listPolicyWarnings(policy, invalid).map((warning) => toWarning(warning, formatWarning)),
  };
}

function toRule(
  { code, value, textKey, textValues }: BookingRule,
  formatText: TextFormatter,
  currency: string,
): RuleItem {
  return { code, text: formatText(textKey, textValues), value: toRuleValueJson(value, currency) } as RuleItem;
}

const toRuleValueJson = (value: RuleValue, currency: string): unknown =>
  typeof value === 'object' && 'amountMinor' in value
    ? { amountMinor: toJsonInt64(value.amountMinor), currency }
    : value;

const toWarning = ({ code, textValues }: PolicyWarning, formatText: TextFormatter): WarningItem => ({
  code,
  text: formatText(code, textValues),
});
