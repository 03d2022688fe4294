// Reading the booking rules of a location: what is configured, whoever asks and whenever.

import type { Db } from '../../../database/dialect.ts';
import { formatKid, type KidOf } from '../../../lib/kid.ts';
import { textsOf, type Language } from '../../../lib/language.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { demandCovered, demandLocation } from '../../places/sight.ts';
import { listGivenSettings, valuesByUnit } from '../../units/queries/given.ts';
import { groupByPolicy, type PolicyGroup } from '../rules/grouping.ts';
import { houseRulesOf } from '../rules/house-rules.ts';
import { policySettings } from '../rules/policy.ts';
import { warningsOf } from '../rules/warnings.ts';
import { ruleShape, warningShape, type BookingRulesGroup } from './schemas.ts';
import { sentencesOf, spellingIn, type Sentence } from './words.ts';

const texts = { rules: textsOf('bookingRules'), warnings: textsOf('bookingWarnings') };

type Telling = { readonly rule: Sentence; readonly warning: Sentence; readonly currency: string };

export async function readBookingRules(db: Db, scope: Scope, location: KidOf<'location'>, language: Language) {
  demandCovered(scope, location);
  const [{ currency }, given] = await Promise.all([
    demandLocation(db, scope, location),
    listGivenSettings(db, location, policySettings),
  ]);
  const spelling = spellingIn(language, currency);
  const telling: Telling = {
    rule: sentencesOf(texts.rules[language], spelling),
    warning: sentencesOf(texts.warnings[language], spelling),
    currency,
  };
  return {
    locationKid: formatKid(location),
    groups: groupByPolicy(valuesByUnit(given)).map((group) => groupOf(location, group, telling)),
  };
}

function groupOf(
  location: KidOf<'location'>,
  { unitIds, policy, invalid }: PolicyGroup,
  { rule, warning, currency }: Telling,
): BookingRulesGroup {
  return {
    calendar: policy.calendar,
    unitKids: unitIds.map((unitId) => formatKid({ ...location, type: 'unit', unitId })),
    rules: houseRulesOf(policy).map((each) => ruleShape(each, rule, currency)),
    warnings: warningsOf(policy, invalid).map((each) => warningShape(each, warning)),
  };
}
