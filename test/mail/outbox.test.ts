// The outbox folder, which takes mails if there is no mail server.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import PostalMime from 'postal-mime';
import { createMailer } from '../../src/providers/mail/create-mailer.ts';

const keptMails = 100;

const folder = mkdtempSync(join(tmpdir(), 'portal-outbox-'));
after(() => rmSync(folder, { recursive: true }));

const mail = {
  to: 'to@example.org',
  language: 'en',
  subject: 'A subject',
  text: 'A text\n',
  html: '<p>A text</p>',
} as const;
function createOutbox(outbox: string) {
  let now = Date.parse('2026-06-15T09:30:00Z');
  const from = { name: '', address: 'portal@localhost' };
  return createMailer({ smtp: undefined, from, outbox, clock: () => (now += 1000) });
}

test('a mail is a file that only the user of the service can read', async () => {
  const outbox = join(folder, 'private/outbox');
  await createOutbox(outbox).send(mail);
  const [name = '', ...more] = readdirSync(outbox);
  assert.deepEqual([more, name.endsWith('.eml')], [[], true]);
  assert.equal(statSync(join(outbox, name)).mode & 0o777, 0o600);
  assert.equal(statSync(outbox).mode & 0o777, 0o700);
  const parsed = await PostalMime.parse(readFileSync(join(outbox, name)));
  assert.deepEqual([parsed.subject, parsed.text?.trim(), parsed.to?.[0]?.address], [mail.subject, 'A text', mail.to]);
});

test('the newest mails are kept, and other files stay', async () => {
  const outbox = join(folder, 'bounded');
  const mailer = createOutbox(outbox);
  await mailer.send({ ...mail, subject: 'The first' });
  writeFileSync(join(outbox, 'notes.txt'), 'mine');
  for (let count = 0; count < keptMails; count += 1) await mailer.send({ ...mail, subject: `Mail ${count}` });
  const names = readdirSync(outbox).toSorted();
  assert.equal(names.length, keptMails + 1);
  assert.ok(names.includes('notes.txt'));
  const first = await PostalMime.parse(readFileSync(join(outbox, names[0] ?? '')));
  assert.equal(first.subject, 'Mail 0');
});

test('an outbox that cannot be written is a mail failure, without its path', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await assert.rejects(createOutbox(join(file, 'outbox')).send(mail), (error: Error) => {
    assert.equal(error.name, 'MailError');
    assert.ok(!error.message.includes(folder));
    return true;
  });
});

test('[replicas.10] two processes can share an outbox: each mail is written, and the newest of both are kept', async () => {
  const outbox = join(folder, 'shared');
  const [one, other] = [createOutbox(outbox), createOutbox(outbox)];
  const sent = Array.from({ length: 160 }, (_, at) =>
    (at % 2 === 0 ? one : other).send({ ...mail, subject: `Mail ${at}` }),
  );
  await Promise.all(sent);
  // What both have deleted at the same time is deleted once; the last one that deletes sees all.
  await one.send({ ...mail, subject: 'The last' });
  const names = readdirSync(outbox);
  assert.equal(names.length, keptMails);
  const subjects = await Promise.all(
    names.map(async (name) => (await PostalMime.parse(readFileSync(join(outbox, name)))).subject),
  );
  assert.equal(new Set(subjects).size, keptMails, 'none is damaged or there twice');
  assert.ok(subjects.includes('The last') && subjects.includes('Mail 159') && subjects.includes('Mail 158'));
});

test('unfinished files of an ended process are deleted, and files being written stay', async () => {
  const outbox = join(folder, 'unfinished');
  const mailer = createOutbox(outbox);
  await mailer.send(mail);
  const [left, writing, other] = [
    '2026-06-15T09-28-00.000Z-x.part',
    '2026-06-15T09-30-00.000Z-x.part',
    'other.part',
  ] as const;
  for (const name of [left, writing, other]) writeFileSync(join(outbox, name), '');
  await mailer.send(mail);
  const names = readdirSync(outbox);
  assert.deepEqual(
    [left, writing, other].map((name) => names.includes(name)),
    [false, true, true],
  );
});

test('a mail is sent although an old one cannot be deleted', async () => {
  const outbox = join(folder, 'undeletable');
  // A folder instead of the oldest mail.
  mkdirSync(join(outbox, '2020-01-01.eml/file'), { recursive: true });
  const mailer = createOutbox(outbox);
  for (let count = 0; count <= keptMails; count += 1) await mailer.send(mail);
  assert.ok(readdirSync(outbox).includes('2020-01-01.eml'));
});
