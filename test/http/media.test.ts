// The JSON media types of responses and request bodies.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestBank, insertTestManager } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';

const login = '/api/v1/session/login';
const credentials = { userName: 'typist', password: 'a long and secret passphrase' };

const json = 'application/json; charset=utf-8';
const textJson = 'text/json; charset=utf-8';
const plain = 'text/plain; charset=utf-8';

const answers: [accept: string | undefined, type: string][] = [
  [undefined, json],
  ['*/*', json],
  ['application/*', json],
  ['application/json', json],
  ['application/json, text/plain, */*', json],
  ['text/html, application/xhtml+xml, */*;q=0.8', json],
  ['text/json', textJson],
  ['Text/JSON', textJson],
  ['text/plain', plain],
  ['text/plain; q=0.5, text/json', textJson],
  ['text/json;q=0.4, text/plain;q=0.5, application/json;q=0.3', plain],
  ['application/json;q=0.1, text/plain', plain],
  ['application/json;q=0, text/plain;q=0.1', plain],
  ['image/png, text/plain;q=0.1', plain],
  // If Accept names no available type, the answer is still JSON.
  ['image/png', json],
  ['application/json;q=0', json],
  ['no media type', json],
  ['', json],
];

const taken = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'Application/JSON',
  'text/json',
  'text/json; charset=utf-8',
  'TEXT/JSON;CHARSET=UTF-8',
  'application/merge-patch+json',
  'application/vnd.portal.v1+json; charset=utf-8',
  'application/vnd.portal.v1+json;profile="x"',
  'application/ld+json ; charset=utf-8',
  'APPLICATION/LD+JSON',
];

const refused = [
  'text/plain',
  'text/plain; charset=utf-8',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/octet-stream',
  'application/jsonx',
  'application/json5',
  'application/json-seq',
  'application/+json',
  'application/x+jsonx',
  'text/x+json',
  'application/*',
  '*/*',
  'json',
  ';',
  '',
];

serviceSuite({}, ({ service, manager }) => {
  before(async () => {
    const passwordHash = await service.dependencies.passwordHasher.hash(credentials.password);
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestManager(db, { userName: credentials.userName, passwordHash });
    });
  });

  test('[general.24] manager operations answer the same JSON with the media type that Accept prefers', async () => {
    for (const path of ['/api/v1/session/me', '/api/v1/banks/sund-B1001/account']) {
      const first = await service.call('GET', path, manager);
      for (const [accept, type] of answers) {
        const headers = accept === undefined ? {} : { accept };
        const reply = await service.call('GET', path, { token: manager.token, headers });
        assert.deepEqual([reply.status, reply.headers['content-type']], [200, type], `Accept: ${accept}`);
        assert.equal(reply.text, first.text);
      }
    }
    const reply = await service.call('POST', login, { body: credentials, headers: { accept: 'text/plain' } });
    assert.equal(reply.headers['content-type'], plain);
    assert.equal(reply.json.tokenType, 'Bearer');
  });

  test('[general.28] an error is problem+json unless Accept prefers a page', async () => {
    for (const accept of ['application/json', 'text/plain', 'application/json, text/html;q=0.9', 'image/png']) {
      const { status, headers } = await service.call('GET', '/api/v1/session/me', { headers: { accept } });
      assert.deepEqual([status, headers['content-type']], [401, 'application/problem+json; charset=utf-8']);
    }
  });

  test('[general.25] bodies are read as application/json, text/json and application/*+json', async () => {
    for (const type of taken) {
      const reply = await service.call('POST', login, { body: credentials, headers: { 'content-type': type } });
      assert.equal(reply.status, 200, type);
    }
  });

  test('[general.25, general.41] a body of any other media type, or of none, is 415', async () => {
    const rawBody = JSON.stringify(credentials);
    for (const type of refused) {
      const { status, json: problem } = await service.call('POST', login, {
        rawBody,
        headers: { 'content-type': type },
      });
      assert.deepEqual([status, problem.code], [415, 'unsupported-media-type'], type);
    }
  });
});
