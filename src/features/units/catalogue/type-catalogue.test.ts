// Checks the catalogue: names, groups, constraints, defaults, and translations into ten languages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages, type Language } from '../../../lib/text/language.ts';
import { readLocale } from '../../../../test/support/locales.ts';
import { unitTypeCode, unitTypes } from '../../places/rules/unit-types.ts';
import { parseStoredText, formatStoredText } from '../rules/stored-text.ts';
import { bookingSettings } from './booking-settings.ts';
import { allDefinitions, isGroupName, visibleNamesOfGroup, typeCatalogueOf } from './type-catalogue.ts';
import { commonSettings, commonStates } from './all-units.ts';
import { settingGroups, stateGroups, valueTypes, type ValueDefinition } from './value-definition.ts';
import { openingSettings } from './opening-settings.ts';

const pascalCase = /^(?:[A-Z][a-z0-9]*)+$/;
const codes = unitTypes.map(unitTypeCode);
const numeric = new Set(['int', 'decimal', 'duration', 'money']);

type Section = 'groups' | 'settings' | 'options';
/** The texts of a section, from all files that have it. */
const localeOf = (language: Language, section: Section): Record<string, string> =>
  Object.fromEntries(
    readLocale(language).flatMap(({ key, text }) => {
      const [, found, name = ''] = /^unit-values\/(?:[\w-]+\.)?(\w+)\.(.+)$/.exec(key) ?? [];
      return found === section ? [[name, text]] : [];
    }),
  );

test('[settings.08] names are exact, in PascalCase, and have one definition over all types', () => {
  const byName = new Map<string, ValueDefinition>();
  for (const code of codes) {
    const { definitions } = typeCatalogueOf(code);
    assert.equal(
      new Set(definitions.map(({ name }) => name)).size,
      definitions.length,
      `type ${code} has each name once`,
    );
    for (const definition of definitions) {
      assert.match(definition.name, pascalCase);
      assert.ok(definition.name.length <= 64, definition.name);
      assert.equal(byName.get(definition.name) ?? definition, definition, `${definition.name} is one definition`);
      byName.set(definition.name, definition);
    }
  }
  assert.deepEqual(new Set(byName.values()), new Set(allDefinitions));
});

test('[settings.01] every type has its own settings and states in addition to those of all types, an unknown type has only the latter', () => {
  const common = [...commonSettings, ...commonStates];
  for (const code of codes) {
    const { definitions, visibleByGroup } = typeCatalogueOf(code);
    for (const each of common) assert.ok(definitions.includes(each), `type ${code} has ${each.name}`);
    const own = definitions.filter((each) => !common.includes(each));
    for (const kind of ['Setting', 'State'])
      assert.ok(own.filter((each) => each.kind === kind).length >= 2, `type ${code} has ${kind}s of its own`);
    assert.ok(visibleByGroup.has('Operation') && visibleByGroup.has('Status'), `type ${code}`);
  }
  for (const unknown of [undefined, 0, -1, 29, 255, 1.5, 1e9])
    assert.deepEqual(typeCatalogueOf(unknown).definitions, common);
});

test('groups are in their order, settings before states, and none is empty', () => {
  const order: readonly string[] = [...settingGroups, ...stateGroups];
  for (const code of [...codes, 0]) {
    const shown = [...typeCatalogueOf(code).visibleByGroup];
    assert.deepEqual(
      shown.map(([group]) => group),
      order.filter((group) => shown.some(([each]) => each === group)),
    );
    for (const [group, members] of shown) {
      assert.ok(members.length > 0);
      for (const member of members) {
        assert.equal(member.group, group);
        assert.ok(member.visible);
        assert.equal((settingGroups as readonly string[]).includes(group), member.kind === 'Setting', member.name);
        assert.ok(visibleNamesOfGroup(group).includes(member.name));
      }
    }
  }
  for (const group of order) assert.ok(isGroupName(group));
  for (const none of ['', 'general', 'Settings', 'constructor', '__proto__']) assert.ok(!isGroupName(none));
});

test('a definition that is not visible is in no group and cannot be found by name', () => {
  const hidden = allDefinitions.filter(({ visible }) => !visible);
  assert.ok(hidden.length > 0);
  for (const { name, group } of hidden) {
    for (const code of codes) assert.ok(!typeCatalogueOf(code).visibleByName.has(name));
    assert.ok(!visibleNamesOfGroup(group).includes(name));
  }
});

test('every value type is used, by settings that people write', () => {
  const written = new Set(allDefinitions.filter(({ editable }) => editable).map(({ valueType }) => valueType));
  assert.deepEqual(written, new Set(valueTypes));
});

test('[settings.05] no state is editable', () => {
  for (const { kind, editable, name } of allDefinitions) assert.ok(kind === 'Setting' || !editable, name);
});

test('a bookable type has the whole booking policy and the opening hours', () => {
  const names = (definitions: readonly ValueDefinition[]): string[] => definitions.map(({ name }) => name);
  const booked = codes.filter((code) => typeCatalogueOf(code).visibleByGroup.has('Booking'));
  assert.ok(booked.length >= 8);
  for (const code of booked) {
    assert.deepEqual(names(typeCatalogueOf(code).visibleByGroup.get('Booking') ?? []), names(bookingSettings));
    assert.deepEqual(names(typeCatalogueOf(code).visibleByGroup.get('OpeningHours') ?? []), names(openingSettings));
  }
});

test('the Cycle setting is written only by the equipment, and is visible', () => {
  const cycles = codes.flatMap((code) => typeCatalogueOf(code).visibleByName.get('Cycle') ?? []);
  assert.ok(cycles.length >= 5);
  for (const { kind, valueType, editable, visible, constraints } of cycles) {
    assert.deepEqual([kind, valueType, editable, visible], ['Setting', 'enum', false, true]);
    assert.deepEqual([constraints.options?.at(0), constraints.options?.at(-1)], ['Start', 'End']);
  }
});

test('constraints fit their type and do not contradict each other', () => {
  for (const { name, valueType, constraints, editable } of allDefinitions) {
    const { min, max, step, maxLength, pattern, options } = constraints;
    if (min !== undefined && max !== undefined) assert.ok(min < max, name);
    if (numeric.has(valueType)) {
      for (const bound of [min, max, step]) assert.ok(bound === undefined || typeof bound === 'number', name);
      assert.deepEqual([maxLength, pattern, options], [undefined, undefined, undefined], name);
      assert.ok(valueType !== 'decimal' || step !== undefined, `${name} has a number of decimals`);
      assert.ok(step === undefined || step > 0, name);
    }
    if (valueType === 'decimal' && editable) assert.ok(min !== undefined && max !== undefined, name);
    if (valueType === 'time') assert.match(`${min ?? '00:00'} ${max ?? '23:59'}`, /^\d\d:\d\d \d\d:\d\d$/, name);
    if (valueType === 'text') {
      assert.ok(maxLength !== undefined && maxLength <= 1000, name);
      if (pattern !== undefined) assert.doesNotThrow(() => new RegExp(`^(?:${pattern})$`, 'u'), name);
    }
    if (valueType === 'enum') {
      assert.ok(options !== undefined && options.length > 1 && new Set(options).size === options.length, name);
      for (const option of options) assert.match(option, pascalCase, name);
    } else assert.equal(options, undefined, name);
  }
});

test('a default is a valid value in its stored spelling', () => {
  const defaulted = allDefinitions.filter(({ fallback }) => fallback !== undefined);
  assert.ok(defaulted.length > 40);
  for (const definition of defaulted) {
    const text = definition.fallback ?? '';
    assert.deepEqual(formatStoredText(definition, parseStoredText(definition, text)), { text }, definition.name);
  }
});

test('every group, setting, state and option has a text of its own in each of the ten languages', () => {
  // Under the names of value and option, or under that of the option only.
  const keyed = new Set(Object.keys(localeOf('en', 'options')));
  const options = allDefinitions.flatMap(({ name, constraints }) =>
    (constraints.options ?? []).map((option) => (keyed.has(`${name}.${option}`) ? `${name}.${option}` : option)),
  );
  const wanted: Readonly<Record<Section, readonly string[]>> = {
    groups: [...settingGroups, ...stateGroups],
    settings: allDefinitions.map(({ name }) => name),
    options: [...new Set(options)],
  };
  for (const language of languages) {
    for (const section of Object.keys(wanted) as Section[]) {
      const texts = localeOf(language, section);
      assert.deepEqual(Object.keys(texts).toSorted(), wanted[section].toSorted(), `${language} ${section}`);
      for (const [name, label] of Object.entries(texts)) {
        assert.match(label, /^[\p{Lu}\d].*[\p{L}\d”“»)]$|^[\p{Lu}\d].*kl\.$/u, `${language} ${section} ${name}`);
        assert.equal(label, label.normalize('NFC').trim());
        assert.doesNotMatch(label, / {2}|[{}|]/u);
      }
    }
  }
});

test('within a group no two labels are equal in any language', () => {
  for (const language of languages) {
    const settings = localeOf(language, 'settings');
    for (const code of codes)
      for (const [group, members] of typeCatalogueOf(code).visibleByGroup) {
        const labels = members.map(({ name }) => settings[name]);
        assert.equal(new Set(labels).size, labels.length, `${language} ${code} ${group}: ${labels.join(', ')}`);
      }
  }
});
