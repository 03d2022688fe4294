// Shows schemas of a document: types, limits, words and descriptions; nested objects when the reader opens them.

import { element, folded, inline } from './elements.js';

/** The object that a reference names, with what stands beside the reference. */
export function resolve(api, value) {
  if (value?.$ref === undefined) return value ?? {};
  const { $ref, ...beside } = value;
  const target = $ref
    .slice(2)
    .split('/')
    .reduce((at, part) => at?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')], api);
  return { ...resolve(api, target), ...beside };
}

const nameOf = (schema) => schema.$ref?.split('/').at(-1);

/** The members of allOf in one; of other keywords the last one counts. */
function flatten(api, schema) {
  const { allOf = [], ...own } = resolve(api, schema);
  const parts = [...allOf.map((part) => flatten(api, part)), own];
  return Object.assign({}, ...parts, {
    properties: parts.some((part) => part.properties)
      ? Object.assign({}, ...parts.map((part) => part.properties))
      : undefined,
    required: parts.flatMap((part) => part.required ?? []),
  });
}

/** The type in words, such as `string, date-time` or `array of Bank`. */
export function typeOf(api, schema) {
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.map((choice) => typeOf(api, choice)).join(' or ');
  if (schema.$ref !== undefined) return nameOf(schema);
  const { type, format, items, const: constant } = flatten(api, schema);
  if (constant !== undefined) return JSON.stringify(constant);
  if (type === 'array' && items !== undefined) return `array of ${typeOf(api, items)}`;
  const types = [type ?? 'any value'].flat().join(' or ');
  return format === undefined ? types : `${types}, ${format}`;
}

const limits = {
  minimum: 'at least',
  maximum: 'at most',
  minLength: 'length at least',
  maxLength: 'length at most',
  maxItems: 'items at most',
  pattern: 'pattern',
  default: 'default',
};

/** Longer lists of words are closed at first. */
const mostWords = 12;

/** What a value has to be: limits and words. */
export function limitsView(api, schema) {
  const full = flatten(api, schema);
  const texts = Object.entries(limits)
    .filter(([key]) => full[key] !== undefined)
    .map(([key, text]) => `${text} ${String(full[key])}`);
  const words = (full.enum ?? wordsOf(api, full.anyOf ?? full.oneOf) ?? []).map((word) => JSON.stringify(word));
  if (words.length > 0 && words.length <= mostWords) texts.push(`one of ${words.join(', ')}`);
  return [
    ...(texts.length > 0 ? [element('p', { class: 'limits' }, texts.join('; '))] : []),
    ...(words.length > mostWords
      ? [folded(`One of ${words.length} words`, () => element('p', { class: 'limits' }, words.join(', ')))]
      : []),
  ];
}

function wordsOf(api, choices = []) {
  const words = choices.map((choice) => resolve(api, choice).const);
  return words.length > 0 && words.every((word) => word !== undefined) ? words : undefined;
}

/** The schemas of objects inside of a schema, which can be opened. */
function objectsIn(api, schema) {
  const full = flatten(api, schema);
  if (full.items !== undefined) return objectsIn(api, full.items);
  const choices = full.oneOf ?? full.anyOf;
  if (choices !== undefined) return choices.flatMap((choice) => objectsIn(api, choice));
  return full.properties === undefined ? [] : [schema];
}

export function schemaView(api, schema, { open = false } = {}) {
  const objects = objectsIn(api, schema);
  if (objects.length === 0) return [element('p', {}, typeOf(api, schema)), ...limitsView(api, schema)];
  return objects.map((object) =>
    folded(`${nameOf(object) ?? 'Members'}`, () => membersView(api, flatten(api, object)), { open }),
  );
}

function membersView(api, { properties, required }) {
  return element(
    'ul',
    { class: 'members' },
    Object.entries(properties).map(([name, schema]) => {
      const { description } = flatten(api, schema);
      return element(
        'li',
        {},
        element('code', { class: 'name' }, name),
        element('span', { class: 'type' }, ` ${typeOf(api, schema)}${required.includes(name) ? ', required' : ''}`),
        description !== undefined && element('p', {}, inline(description)),
        limitsView(api, schema),
        objectsIn(api, schema).length > 0 && schemaView(api, schema),
      );
    }),
  );
}
