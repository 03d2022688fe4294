// Shows one operation: what it needs, what it takes, what it answers, and a form that tries it.

import { codeBlock, element, folded, inline, markdown } from './elements.js';
import { requestForm } from './request.js';
import { limitsView, resolve, schemaView, typeOf } from './schema.js';

/** Every operation of a document, in its order. */
export function operationsOf(api) {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
}

export function showOperation(api, operation) {
  const { operationId, method, path, summary } = operation;
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(api, parameter));
  const body = operation.requestBody && resolve(api, operation.requestBody);
  return [
    element('h2', { tabindex: '-1' }, operationId),
    element('p', { class: 'lead' }, summary),
    element('p', { class: 'route' }, methodMark(method), ' ', element('code', {}, path)),
    ...markdown(operation.description),
    needsView(operation),
    ...(parameters.length > 0 ? [element('h3', {}, 'Parameters'), parametersView(api, parameters)] : []),
    ...(body ? [element('h3', {}, 'Body'), ...contentView(api, body.content)] : []),
    element('h3', {}, 'Try it'),
    requestForm(api, { ...operation, parameters, body }),
    element('h3', {}, 'Answers'),
    ...Object.entries(operation.responses).map(([status, response]) => answerView(api, status, resolve(api, response))),
  ];
}

export const methodMark = (method) => element('span', { class: `method ${method.toLowerCase()}` }, method);

const needNames = {
  'x-tabs': 'One of these Tabs',
  'x-permissions': 'All of these permissions',
  'x-scope': 'Grant level',
  'x-needs-by-parameter': 'By the path parameter',
};

function needsView(operation) {
  const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  const needs = Object.entries(needNames)
    .filter(([key]) => operation[key] !== undefined)
    .flatMap(([key, name]) => [element('dt', {}, name), element('dd', {}, needText(operation[key]))]);
  const access = schemes.length === 0 ? 'anyone, without a token' : schemes.join(' or ');
  return element('dl', {}, element('dt', {}, 'Access'), element('dd', {}, access), needs);
}

const needText = (need) => {
  if (Array.isArray(need)) return need.join(', ');
  return typeof need === 'string' ? need : JSON.stringify(need);
};

const parametersView = (api, parameters) =>
  element(
    'ul',
    { class: 'members' },
    parameters.map((parameter) => {
      return element(
        'li',
        {},
        element('code', { class: 'name' }, parameter.name),
        element(
          'span',
          { class: 'type' },
          ` ${parameter.in}, ${typeOf(api, parameter.schema)}${parameter.required ? ', required' : ''}`,
        ),
        element('p', {}, inline(parameter.description ?? '')),
        limitsView(api, parameter.schema),
      );
    }),
  );

/** Success is open, a problem is closed until the reader wants it. */
function answerView(api, status, response) {
  const isSuccess = status.startsWith('2');
  const codes = [...(response.description ?? '').matchAll(/^- `([a-z0-9-]+)`/gm)].map(([, code]) => code);
  const text = codes.length > 0 ? codes.join(', ') : response.description;
  const summary = [element('strong', { class: isSuccess ? 'success' : 'refusal' }, status), ' ', text];
  const content = () => [
    ...(codes.length > 0 ? markdown(response.description) : []),
    ...(response.headers ? [headersView(api, response.headers)] : []),
    ...contentView(api, response.content ?? {}, { open: isSuccess }),
  ];
  return folded(summary, content, { open: isSuccess });
}

const headersView = (api, headers) =>
  folded('Header fields', () =>
    element(
      'dl',
      {},
      Object.entries(headers).flatMap(([name, header]) => [
        element('dt', {}, name),
        element('dd', {}, inline(resolve(api, header).description ?? '')),
      ]),
    ),
  );

/** Media types with the same schema and example are shown once. */
function contentView(api, content, options) {
  const groups = Map.groupBy(Object.entries(content), ([, media]) => JSON.stringify(media));
  return [...groups.values()].flatMap((entries) => {
    const [[, media]] = entries;
    const types = element('p', { class: 'types' }, entries.map(([type]) => type).join(', '));
    return [types, ...(media.schema ? schemaView(api, media.schema, options) : []), ...examplesOf(api, media)];
  });
}

const examplesOf = (api, media) =>
  Object.entries(media.examples ?? {}).map(([name, example]) => {
    const { value, summary } = resolve(api, example);
    const label = name === 'recorded' ? 'Example' : `Example: ${summary ?? name}`;
    return folded(label, () => codeBlock(textOf(value)), { open: name === 'recorded' });
  });

const textOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
