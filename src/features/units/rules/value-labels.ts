// The labels of groups, of settings and states, and of their options, in the ten languages.

import { localisedTexts, type Language } from '../../../lib/language.ts';
import type { GroupName } from '../catalogue/value-definition.ts';

const groupTexts = localisedTexts('settingGroups');
const valueTexts = localisedTexts('settings');
const optionTexts = localisedTexts('options');

export const formatGroupLabel = (name: GroupName, language: Language): string => groupTexts[language].get(name) ?? name;

/** The label of a setting or state. */
export const formatValueLabel = (name: string, language: Language): string => valueTexts[language].get(name) ?? name;

/**
 * The label of an option of a setting or state. Where its gender, number or sense depends on the value that it describes,
 * the text stands under both names (`LockState.Locked`); other options have one text for all.
 */
export function formatOptionLabel(valueName: string, option: string, language: Language): string {
  const texts = optionTexts[language];
  return texts.get(`${valueName}.${option}`) ?? texts.get(option) ?? option;
}
