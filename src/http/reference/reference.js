// Runs in the browser: shows the chosen document. The page's address names it as `?document=`, and the operation shown as
// `#GetUnitOverview`.

import { element, markdown } from './elements.js';
import { methodMark, operationsOf, showOperation } from './operation.js';
import { showSession } from './session.js';

const documents = document.querySelector('#document');
const source = document.querySelector('#source');
const search = document.querySelector('#search');
const found = document.querySelector('#found');
const navigation = document.querySelector('#operations');
const reference = document.querySelector('#reference');

let api;
let operations = [];

const chosen = new URLSearchParams(location.search).get('document');
if ([...documents.options].some(({ value }) => value === chosen)) documents.value = chosen;

documents.addEventListener('change', () => {
  history.pushState({}, '', `/docs?document=${documents.value}`);
  void load();
});
document.querySelector('#documents').addEventListener('submit', (event) => event.preventDefault());
search.addEventListener('input', showNavigation);
addEventListener('hashchange', () => showChosen({ focus: true }));
addEventListener('popstate', () => {
  const named = new URLSearchParams(location.search).get('document') ?? 'portal';
  if (named === documents.value) return;
  documents.value = named;
  void load();
});
showSession(document.querySelector('#session'), () => showChosen({ focus: false }));
void load();

async function load() {
  source.href = `/openapi/${documents.value}-v1.json`;
  reference.setAttribute('aria-busy', 'true');
  try {
    const response = await fetch(source.href);
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail ?? answer.title);
    api = answer;
    operations = operationsOf(api);
    showNavigation();
    showChosen({ focus: false });
  } catch (error) {
    reference.replaceChildren(
      element('p', { class: 'problem', role: 'alert' }, `The document cannot be shown: ${error.message}`),
    );
  } finally {
    reference.removeAttribute('aria-busy');
  }
}

/** Operations whose name, path, summary or description has every word. */
function findOperations() {
  const words = search.value.toLowerCase().split(/\s+/);
  return operations.filter(({ operationId, method, path, summary = '', description = '', tags = [] }) => {
    const text = [operationId, method, path, summary, description, ...tags].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function showNavigation() {
  const matching = findOperations();
  found.textContent = `${matching.length} of ${operations.length} operations`;
  const groups = Map.groupBy(matching, ({ tags: [tag = 'Other'] = [] }) => tag);
  navigation.replaceChildren(
    element('a', { href: '#' }, 'Overview'),
    ...[...groups].map(([tag, members]) => navigationGroup(tag, members)),
  );
  markChosen();
}

/** Groups are closed until something is searched for or chosen in them: the list of all of them is long. */
const navigationGroup = (tag, members) =>
  element(
    'details',
    { open: search.value !== '' || members.some(({ operationId }) => operationId === chosenId()) },
    element('summary', {}, `${tag} (${members.length})`),
    element(
      'ul',
      {},
      members.map(({ operationId, method, summary, path }) =>
        element(
          'li',
          {},
          element(
            'a',
            { href: `#${operationId}`, title: `${summary} (${path})` },
            methodMark(method),
            ` ${operationId}`,
          ),
        ),
      ),
    ),
  );

const chosenId = () => decodeURIComponent(location.hash.slice(1));

function markChosen() {
  for (const link of navigation.querySelectorAll('a')) {
    const isChosen = link.hash.slice(1) === chosenId();
    if (isChosen) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    if (isChosen && link.closest('details') !== null) link.closest('details').open = true;
  }
}

function showChosen({ focus }) {
  if (api === undefined || chosenId() === 'reference') return;
  const operation = operations.find(({ operationId }) => operationId === chosenId());
  document.title = `${operation?.operationId ?? api.info.title} - API reference`;
  reference.replaceChildren(...(operation === undefined ? overview() : showOperation(api, operation)));
  markChosen();
  if (!focus) return;
  const heading = reference.querySelector('h2');
  heading.focus();
  heading.scrollIntoView();
}

function overview() {
  const missing = chosenId() === '' ? [] : [element('p', { class: 'problem' }, `This document has no ${chosenId()}.`)];
  const server = element('p', {}, 'Requests of this page go to ', element('code', {}, location.origin), '.');
  const tags = (api.tags ?? []).flatMap(({ name, description = '' }) => [
    element('dt', {}, name),
    element('dd', {}, description),
  ]);
  return [
    element('h2', { tabindex: '-1' }, api.info.title),
    ...missing,
    element('p', {}, `Version ${api.info.version}, OpenAPI ${api.openapi}.`),
    server,
    ...markdown(api.info.description),
    element('h3', {}, 'Groups of operations'),
    element('dl', {}, tags),
  ];
}
