// The labels of groups, of settings and states, and of their options, in the ten languages.

import { localisedTexts, type Language } from '../../../lib/text/language.ts';
import type { UnitGroupName } from '../catalogue/value-definition.ts';

const groupTexts = localisedTexts('settingGroups');
const valueTexts = localisedTexts('settings');
const optionTexts = localisedTexts('options');

export const formatGroupLabel = (name: UnitGroupName, language: Language): string =>
  groupTexts[language].get(name) ?? name;

/** The label of a setting or state. */
export const formatValueLabel = (name: string, language: Language): string => valueTexts[language].get(name) ?? name;

/**
 * The label of an option of a setting or state. If its gender, number or sense depends on the value that it describes,
 * the key of the text has both names (`LockState.Locked`); other options have one text for all.
 */
export function formatOptionLabel(valueName: string, option: string, language: Language): string {
  const texts = optionTexts[language];
  return texts.get(`${valueName}.${option}`) ?? texts.get(option) ?? option;
}
