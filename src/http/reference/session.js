// Logs in and out, and keeps the token for this tab: it outlives a reload and a change of the document, and ends with the
// tab.

import { element } from './elements.js';

const storageKey = 'portal-reference-session';
const loginUrl = '/api/v1/session/login';
const logoutUrl = '/api/v1/session/logout';

/** What requests are authorised with; undefined without login or after its expiry. */
export function readSession() {
  const stored = sessionStorage.getItem(storageKey);
  if (stored === null) return undefined;
  const session = JSON.parse(stored);
  if (session.expiresAtUtc === undefined || Date.parse(session.expiresAtUtc) > Date.now()) return session;
  sessionStorage.removeItem(storageKey);
  return undefined;
}

/** The header field for an operation: only if one of its security schemes takes what the reader has. */
export function authorizationFor(operation) {
  const session = readSession();
  const isAccepted = session !== undefined && (operation.security ?? []).some((scheme) => session.scheme in scheme);
  return isAccepted ? `Bearer ${session.token}` : undefined;
}

/** Shows the login form, or who is logged in. `onChange` is called after a login and a logout. */
export function showSession(container, onChange) {
  const show = (focused) => {
    const session = readSession();
    container.replaceChildren(...(session === undefined ? loginParts(change) : sessionParts(session, change)));
    if (focused) container.querySelector('h2').focus();
  };
  const change = () => {
    show(true);
    onChange();
  };
  show(false);
}

function store(session) {
  sessionStorage.setItem(storageKey, JSON.stringify(session));
}

function loginParts(onLogin) {
  const problem = element('p', { class: 'problem', role: 'alert' });
  const submit = element('button', {}, 'Log in');
  const form = element(
    'form',
    {
      id: 'login',
      onsubmit: async (event) => {
        event.preventDefault();
        submit.disabled = true;
        const text = await logIn(new FormData(form));
        submit.disabled = false;
        problem.textContent = text ?? '';
        if (text === undefined) onLogin();
      },
    },
    field('User name', { name: 'userName', autocomplete: 'username', required: true, autocapitalize: 'none' }),
    field('Password', { name: 'password', type: 'password', autocomplete: 'current-password', required: true }),
    submit,
    problem,
  );
  return [title('Log in'), form, serviceKeyForm(onLogin)];
}

/** A service has a key instead of a password. */
function serviceKeyForm(onLogin) {
  const form = element(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault();
        store({ scheme: 'ServiceKey', token: new FormData(form).get('key').trim(), name: 'a service' });
        onLogin();
      },
    },
    field('API key', { name: 'key', type: 'password', autocomplete: 'off', required: true }),
    element('button', {}, 'Use this key'),
  );
  return element('details', {}, element('summary', {}, 'Use the API key of a service'), form);
}

const title = (text) => element('h2', { id: 'session-title', tabindex: '-1' }, text);

const field = (label, attributes) => element('label', {}, label, element('input', attributes));

/** Undefined if it succeeded; otherwise why not. */
async function logIn(fields) {
  const userName = fields.get('userName');
  try {
    const response = await fetch(loginUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ userName, password: fields.get('password') }),
    });
    const answer = await response.json();
    if (!response.ok) return answer.detail ?? answer.title;
    store({ scheme: 'ManagerBearer', token: answer.accessToken, expiresAtUtc: answer.expiresAtUtc, name: userName });
    return undefined;
  } catch (error) {
    return `The service did not answer: ${error.message}`;
  }
}

function sessionParts(session, onLogout) {
  const problem = element('p', { class: 'problem', role: 'alert' });
  const leave = element('button', { id: 'logout', onclick: () => void logOut(session, problem, onLogout) }, 'Log out');
  const until = session.expiresAtUtc && ` until ${new Date(session.expiresAtUtc).toLocaleTimeString()}`;
  const who = element('p', {}, 'Requests are sent as ', element('strong', {}, session.name), until ?? '', '.');
  return [title('Logged in'), who, leave, problem];
}

/** A session that the service no longer knows is forgotten, too. An API key is only forgotten here: it stays valid. */
async function logOut({ scheme, token }, problem, onLogout) {
  try {
    if (scheme === 'ManagerBearer') {
      const response = await fetch(logoutUrl, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
      if (!response.ok && response.status !== 401) {
        const answer = await response.json();
        problem.textContent = answer.detail ?? answer.title;
        return;
      }
    }
  } catch (error) {
    problem.textContent = `The service did not answer: ${error.message}`;
    return;
  }
  sessionStorage.removeItem(storageKey);
  onLogout();
}
