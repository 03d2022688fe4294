// Generates docs/settings.md from the unit catalogue: the types of units with their settings and states.

import {
  formatUnitTypeName,
  isBookableType,
  unitTypeCode,
  unitTypes,
  type UnitType,
} from '../../src/features/places/rules/unit-types.ts';
import { commonSettings, commonStates, offlineSettings } from '../../src/features/units/catalogue/all-units.ts';
import { bookingSettings } from '../../src/features/units/catalogue/booking-settings.ts';
import { openingSettings } from '../../src/features/units/catalogue/opening-settings.ts';
import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import {
  settingGroups,
  stateGroups,
  type ValueDefinition,
  type ValueType,
} from '../../src/features/units/catalogue/value-definition.ts';
import { commandsOf } from '../../src/features/units/rules/command-catalogue.ts';
import { formatGroupLabel, formatValueLabel } from '../../src/features/units/rules/value-labels.ts';
import { code, codes, page, table } from './markdown.ts';
import { formatValueCells, isLongPattern, unitOfMeasureTexts, valueHead } from './setting-cells.ts';

export const createSettingsPage = (): string =>
  page(
    '# Settings and states',
    'What each type of units has. Managers write settings (SetUnitSetting) and equipment reports states; GetUnitGroup returns both, a group at a time. Names are exact and do not depend on the language; the labels here are the English ones. A setting that was never written has its default, or null if it has none.',
    'Generated from the unit catalogue by `npm run docs`.',
    '## Types of units',
    'The number is `unitType` in responses. A name in braces in the name of a unit, such as `{washer} 3`, is shown in the language of the response. A unit of another number is of a type that this version does not know: it has what every unit has.',
    table(['Number', 'Name', 'Label', 'Bookable'], unitTypes.map(unitTypeRow)),
    '## Types of values',
    table(
      ['Type', 'In JSON'],
      Object.entries(valueTypeTexts).map(([type, text]) => [code(type), text]),
    ),
    'Units of measure are UCUM codes:',
    table(
      ['Code', 'Unit'],
      Object.entries(unitOfMeasureTexts).map(([unit, text]) => [code(unit), text]),
    ),
    '## Groups',
    table(['Group', 'Label', 'Holds'], groupRows()),
    '## Every unit',
    ...sections(visible([...commonSettings, ...commonStates])),
    '## Units with opening hours',
    `${listTypes(hasOpeningHours)}. Each weekday has intervals such as ${code('07:00-12:00,13:00-22:00')}, or ${code('closed')}; without a value its hours are unknown.`,
    ...sections(openingSettings),
    '## Units that residents use with keys',
    `${listTypes(hasOfflineSettings)}. What their computer does while it cannot ask the service who may use the unit.`,
    ...sections(offlineSettings),
    '## Units that can be booked',
    `${listTypes((type) => isBookableType(unitTypeCode(type)))}. GetLocationBookingRules returns the rules that follow from these settings.`,
    ...sections(bookingSettings),
    ...unitTypes.flatMap(unitTypeSection),
  );

const valueTypeTexts: Readonly<Record<ValueType, string>> = {
  int: 'Signed 64-bit integer, written also as a string of its digits (`"-12"`; not `"007"`, `"1e3"` or `" 1"`)',
  decimal: 'Number, with at most as many decimals as its step',
  bool: '`true` or `false`',
  enum: 'String, one of the options',
  text: 'String without control characters; a length counts code points, a pattern (ECMA-262) matches the whole text',
  time: 'String, time of day `HH:MM`, local to the unit',
  duration: 'As `int`, in the unit of measure',
  money: 'As `int`, in minor units of the bank’s currency',
};

const unitTypeRow = (type: UnitType): string[] => [
  String(unitTypeCode(type)),
  `[${code(type)}](#${type})`,
  formatUnitTypeName(unitTypeCode(type), 'en'),
  isBookableType(unitTypeCode(type)) ? 'yes' : '',
];

const groupRows = (): string[][] => [
  ...settingGroups.map((group) => [code(group), formatGroupLabel(group, 'en'), 'settings']),
  ...stateGroups.map((group) => [code(group), formatGroupLabel(group, 'en'), 'states']),
];

const hasOpeningHours = (type: UnitType): boolean =>
  typeCatalogueOf(unitTypeCode(type)).visibleByName.has(openingSettings[0]?.name ?? '');

const hasOfflineSettings = (type: UnitType): boolean =>
  typeCatalogueOf(unitTypeCode(type)).visibleByName.has(offlineSettings[0].name);

const listTypes = (matches: (type: UnitType) => boolean): string =>
  unitTypes
    .filter(matches)
    .map((type) => code(type))
    .join(', ');

const sharedNames = new Set(
  [...commonSettings, ...commonStates, ...openingSettings, ...offlineSettings, ...bookingSettings].map(
    ({ name }) => name,
  ),
);

/** The settings and states of a type that not all types share. */
function unitTypeSection(type: UnitType): string[] {
  const number = unitTypeCode(type);
  const own = typeCatalogueOf(number).definitions.filter(({ name }) => !sharedNames.has(name));
  const links = [
    '[every unit](#every-unit)',
    ...(hasOpeningHours(type) ? ['[units with opening hours](#units-with-opening-hours)'] : []),
    ...(hasOfflineSettings(type) ? ['[units that residents use with keys](#units-that-residents-use-with-keys)'] : []),
    ...(isBookableType(number) ? ['[units that can be booked](#units-that-can-be-booked)'] : []),
  ];
  return [
    `## ${type}`,
    `${formatUnitTypeName(number, 'en')}, number ${number}. It also has what these have: ${links.join(', ')}.`,
    `Commands (SendUnitCommand): ${codes(commandsOf(number))}.`,
    ...sections(visible(own)),
  ];
}

const visible = (definitions: readonly ValueDefinition[]): ValueDefinition[] =>
  definitions.filter((definition) => definition.visible);

/** A table of settings and one of states. */
function sections(definitions: readonly ValueDefinition[]): string[] {
  return (['Setting', 'State'] as const).flatMap((kind) => {
    const ofKind = definitions.filter((definition) => definition.kind === kind);
    return ofKind.length === 0 ? [] : [table([kind, ...valueHead[kind]], ofKind.map(row)), ...longPatterns(ofKind)];
  });
}

function longPatterns(definitions: readonly ValueDefinition[]): string[] {
  const byPattern = Map.groupBy(definitions, ({ constraints }) => constraints.pattern);
  return [...byPattern].flatMap(([pattern, ofPattern]) =>
    pattern === undefined || !isLongPattern(pattern)
      ? []
      : [`The pattern of ${codes(ofPattern.map(({ name }) => name))}:`, `\`\`\`text\n${pattern}\n\`\`\``],
  );
}

const row = (definition: ValueDefinition): string[] => [
  code(definition.name),
  formatValueLabel(definition.name, 'en'),
  ...formatValueCells(definition),
];
