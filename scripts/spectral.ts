// Lints an OpenAPI document with Spectral's rules for OpenAPI.

import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

/** Returns the faults of the document, a line for each. `leftOut` names the rules that do not apply. */
export async function lintWithSpectral(document: string, leftOut: readonly string[] = []): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  // The types of the two packages disagree.
  const rules = Object.fromEntries(leftOut.map((rule) => [rule, 'off' as const]));
  spectral.setRuleset({ extends: [spectralRulesets.oas as unknown as RulesetDefinition], rules });
  const faults = await spectral.run(document);
  return faults.map(({ code, path, message }) => `${code}: ${path.join('.')}: ${message}`);
}
