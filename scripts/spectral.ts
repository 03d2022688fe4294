// Lints an OpenAPI document with Spectral's rules for OpenAPI.

import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

/** What is wrong with the document, a line for each fault. The rules that are left out are named. */
export async function lintWithSpectral(document: string, leftOut: readonly string[] = []): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  // The types of the two packages disagree.
  const rules = Object.fromEntries(leftOut.map((rule) => [rule, 'off' as const]));
  spectral.setRuleset({ extends: [spectralRulesets.oas as unknown as RulesetDefinition], rules });
  const faults = await spectral.run(document);
  return faults.map(({ code, path, message }) => `${code}: ${path.join('.')}: ${message}`);
}
