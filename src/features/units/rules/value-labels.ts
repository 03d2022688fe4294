// The labels of groups, of settings and states, and of their options, in the ten languages.

import accessControl from '../../../../locales/unit-values/access-control.json' with { type: 'json' };
import allUnits from '../../../../locales/unit-values/all-units.json' with { type: 'json' };
import bookingSettings from '../../../../locales/unit-values/booking-settings.json' with { type: 'json' };
import charging from '../../../../locales/unit-values/charging.json' with { type: 'json' };
import climate from '../../../../locales/unit-values/climate.json' with { type: 'json' };
import groups from '../../../../locales/unit-values/groups.json' with { type: 'json' };
import machines from '../../../../locales/unit-values/machines.json' with { type: 'json' };
import meters from '../../../../locales/unit-values/meters.json' with { type: 'json' };
import paymentTerminal from '../../../../locales/unit-values/payment-terminal.json' with { type: 'json' };
import rooms from '../../../../locales/unit-values/rooms.json' with { type: 'json' };
import sensors from '../../../../locales/unit-values/sensors.json' with { type: 'json' };
import sharedSettings from '../../../../locales/unit-values/shared-settings.json' with { type: 'json' };
import sharedStates from '../../../../locales/unit-values/shared-states.json' with { type: 'json' };
import { localisedTexts, type Language, type Texts } from '../../../lib/text/language.ts';
import type { UnitGroupName } from '../catalogue/value-definition.ts';

const files: readonly { readonly settings: Texts; readonly options?: Texts }[] = [
  accessControl,
  allUnits,
  bookingSettings,
  charging,
  climate,
  machines,
  meters,
  paymentTerminal,
  rooms,
  sensors,
  sharedSettings,
  sharedStates,
];

const groupTexts = localisedTexts(groups);
const valueTexts = localisedTexts(...files.map(({ settings }) => settings));
const optionTexts = localisedTexts(...files.map(({ options = {} }) => options));

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
