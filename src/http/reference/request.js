// The form that tries an operation on the host of this page, and what the service answered: text, a picture or a file.

import { codeBlock, element, folded } from './elements.js';
import { resolve } from './schema.js';
import { authorizationFor } from './session.js';

/** Characters: more of a text slows the browser down. */
const longestText = 200_000;

export function requestForm(api, operation) {
  const command = element('code', {});
  const answer = element('div', { class: 'answer', role: 'status' });
  const send = element('button', {}, 'Send');
  const form = element('form', { class: 'request' });
  const showCommand = () => (command.textContent = curlOf(readRequest(form, operation)));
  form.append(
    ...operation.parameters.map((parameter) => parameterField(api, parameter)),
    ...bodyFields(api, operation),
    ...acceptField(operation, api),
    send,
  );
  form.addEventListener('input', showCommand);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    showCommand();
    send.disabled = true;
    answer.replaceChildren(...(await trySending(readRequest(form, operation))));
    send.disabled = false;
  });
  showCommand();
  return element(
    'div',
    {},
    form,
    folded('As a command', () => element('pre', {}, command)),
    answer,
  );
}

const isHeaderOfBrowser = ({ in: place, name }) => place === 'header' && name.toLowerCase() === 'accept-encoding';

function parameterField(api, parameter) {
  const { name, in: place, required = false, schema = {} } = parameter;
  if (isHeaderOfBrowser(parameter)) return '';
  const { default: preset, ...resolved } = { ...resolve(api, schema), ...schema };
  const choices = resolved.enum ?? resolved.anyOf?.map((choice) => resolve(api, choice).const);
  const attributes = { name: `${place}:${name}`, required, autocomplete: 'off' };
  const value = place === 'path' ? (parameter.example ?? resolved.examples?.[0]) : undefined;
  if (choices === undefined || choices.some((choice) => choice === undefined)) {
    const placeholder = preset === undefined ? undefined : String(preset);
    return element('label', {}, name, element('input', { ...attributes, value, placeholder, spellcheck: 'false' }));
  }
  const options = choices.map((choice) => element('option', { selected: choice === value }, String(choice)));
  const none = element('option', { value: '' }, preset === undefined ? '' : `(${String(preset)})`);
  return element('label', {}, name, element('select', attributes, required ? [] : none, options));
}

function bodyFields(api, { body }) {
  const media = body?.content?.['application/json'];
  if (media === undefined) return takesFile(body) ? [fileField(body)] : [];
  const [example] = Object.values(media.examples ?? {}).map((named) => resolve(api, named).value);
  const text = JSON.stringify(example ?? {}, null, 2);
  const area = element('textarea', {
    name: 'body',
    rows: Math.min(20, text.split('\n').length + 1),
    spellcheck: 'false',
  });
  area.value = text;
  return [element('label', {}, 'Body (JSON)', area)];
}

const takesFile = (body) => Object.values(body?.content ?? {}).some(({ schema }) => schema.format === 'binary');

const fileField = ({ content }) =>
  element('label', {}, `Body (${Object.keys(content).join(', ')})`, element('input', { name: 'file', type: 'file' }));

/** The type that the browser gives the file, unless the operation does not know it. */
const typeOfFile = (file, { content }) => (file.type in content ? file.type : Object.keys(content)[0]);

/** Only if the reader has a choice. */
function acceptField({ responses }, api) {
  const types = Object.keys(resolve(api, responses['200']).content ?? {});
  if (types.length < 2) return [];
  const options = types.map((type) => element('option', {}, type));
  return [element('label', {}, 'Accept', element('select', { name: 'accept' }, options))];
}

/** The request that the fields describe; empty fields are left out. */
function readRequest(form, operation) {
  const fields = new FormData(form);
  const url = new URL(location.origin);
  const headers = {};
  let path = operation.path;
  for (const { name, in: place } of operation.parameters) {
    const value = fields.get(`${place}:${name}`);
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value || `{${name}}`));
    if (value === null || value === '') continue;
    if (place === 'query') url.searchParams.append(name, value);
    if (place === 'header') headers[name] = value;
  }
  url.pathname = path;
  const authorization = authorizationFor(operation);
  if (authorization !== undefined) headers.authorization = authorization;
  if (fields.get('accept')) headers.accept = fields.get('accept');
  const file = fields.get('file') ?? undefined;
  const body = file ?? fields.get('body') ?? undefined;
  if (body !== undefined) headers['content-type'] = file ? typeOfFile(file, operation.body) : 'application/json';
  return { method: operation.method, url: url.href, headers, body };
}

const quote = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The token is left out: commands are copied to where others read them. */
function curlOf({ method, url, headers, body }) {
  const shown = { ...headers, ...(headers.authorization && { authorization: 'Bearer TOKEN' }) };
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`,
    ...Object.entries(shown).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [body instanceof File ? `-T ${quote(body.name)}` : `--data-raw ${quote(body)}`]),
  ].join(' \\\n  ');
}

async function trySending({ url, ...options }) {
  const started = performance.now();
  try {
    const response = await fetch(url, { ...options, credentials: 'omit', cache: 'no-store' });
    const content = await response.blob();
    const time = Math.round(performance.now() - started);
    const status = `${response.status} ${response.statusText}`.trim();
    return [
      element('h4', {}, 'Answer of the service'),
      element('p', {}, element('strong', { class: response.ok ? 'success' : 'refusal' }, status), ` in ${time} ms`),
      folded('Header fields of the answer', () =>
        codeBlock([...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')),
      ),
      ...(await contentParts(content, response, new URL(url).pathname)),
    ];
  } catch (error) {
    return [element('p', { class: 'problem' }, `The service did not answer: ${error.message}`)];
  }
}

/** A picture as a picture, text as text, and everything as a file to save. */
async function contentParts(content, response, path) {
  if (content.size === 0) return [element('p', {}, 'The answer has no content.')];
  const type = content.type.split(';')[0];
  const named = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '');
  const href = URL.createObjectURL(content);
  const save = element(
    'p',
    {},
    element('a', { href, download: named?.[1] ?? path.split('/').at(-1) }, 'Save the answer'),
  );
  if (type.startsWith('image/')) {
    const picture = element('img', { alt: `The answer as a picture (${type})`, src: await toDataUrl(content) });
    picture.addEventListener('error', () => picture.replaceWith(`This browser cannot show ${type}.`));
    return [element('p', { class: 'picture' }, picture), save];
  }
  if (!/^text\/|json$|xml$/.test(type)) return [element('p', {}, `${content.size} bytes, ${type}`), save];
  const text = await content.text();
  const shown = type.endsWith('json') || type === 'text/plain' ? indent(text) : text;
  const isCut = shown.length > longestText;
  return [
    codeBlock(shown.slice(0, longestText)),
    ...(isCut ? [element('p', {}, 'This is only the beginning.')] : []),
    save,
  ];
}

/** The policy of the page allows pictures of `data:`, not of `blob:`. */
const toDataUrl = (content) =>
  new Promise((resolveUrl, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolveUrl(reader.result));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(content);
  });

/** JSON with line breaks. Numbers keep their digits: a text is indented, not parsed and printed. */
function indent(text) {
  try {
    return JSON.stringify(
      JSON.parse(text, (_key, value, { source } = {}) => keepDigits(value, source)),
      null,
      2,
    );
  } catch {
    // A text that is not JSON is shown as it came.
    return text;
  }
}

const keepDigits = (value, source) =>
  typeof value === 'number' && source !== undefined && String(value) !== source && JSON.rawJSON !== undefined
    ? JSON.rawJSON(source)
    : value;
