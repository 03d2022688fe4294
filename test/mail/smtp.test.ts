// Mail by SMTP, to servers that accept it, refuse it, hang, or close the connection at every step.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import PostalMime from 'postal-mime';
import { createMailer } from '../../src/providers/mail/create-mailer.ts';
import type { SmtpSettings } from '../../src/providers/mail/mail-settings.ts';
import { MailError, type Mail } from '../../src/providers/mail/mailer.ts';
import { createSelfSignedCertificate } from '../http/support/certificate.ts';
import { measureMs, waitUntil } from '../support/async.ts';
import { startMailServer, startRawServer, type MailServer } from './support/mail-server.ts';

const mail: Mail = {
  to: 'åse@example.org',
  language: 'da',
  subject: 'Bekræft din adresse',
  text: 'Koden er 7K3M.\n.\nSlut.\n',
  html: '<p>Koden er 7K3M.</p>',
};
const sentAt = Date.parse('2026-06-15T09:30:00Z');
const certificate = createSelfSignedCertificate('localhost');
const timeouts = { stepMs: 60_000, totalMs: 60_000 };
const credentials = { user: 'portal@example.org', password: 'canary pass: word' };

const mailerTo = (port: number, settings: Partial<SmtpSettings> = {}, limits: Partial<typeof timeouts> = {}) =>
  createMailer({
    smtp: {
      host: 'localhost',
      port,
      isImplicitTls: false,
      requiresTls: false,
      credentials: undefined,
      ...settings,
    },
    from: { name: 'Vaskeri, Åse', address: 'portal@example.org' },
    outbox: '/nowhere',
    clock: () => sentAt,
    timeouts: { ...timeouts, ...limits },
  });

const refusal = (failure: MailError['failure']) => (error: unknown) => {
  assert.ok(error instanceof MailError, String(error));
  assert.equal(error.failure, failure, error.message);
  const told = `${error.message} ${JSON.stringify(error)} ${String(error.cause)}`;
  for (const secret of ['example.org', credentials.password, '7K3M']) assert.ok(!told.includes(secret), told);
  return true;
};

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});
async function start(...options: Parameters<typeof startMailServer>): Promise<MailServer> {
  const server = await startMailServer(...options);
  stops.push(server.stop);
  return server;
}
async function startRaw(serve: (socket: Socket) => void) {
  const server = await startRawServer(serve);
  stops.push(server.stop);
  return server;
}

test('a mail arrives unchanged, with its sender and recipient', async () => {
  const server = await start();
  await mailerTo(server.port).send(mail);
  const [taken] = server.mails;
  assert.deepEqual([taken?.from, taken?.to, taken?.isSecure], ['portal@example.org', [mail.to], false]);
  const parsed = await PostalMime.parse(taken?.message ?? '');
  assert.equal(parsed.subject, mail.subject);
  assert.equal(parsed.text?.trimEnd(), mail.text.trimEnd());
  assert.equal(parsed.html?.trim(), mail.html);
  assert.deepEqual(parsed.from, { name: 'Vaskeri, Åse', address: 'portal@example.org' });
  assert.deepEqual(parsed.to, [{ name: '', address: mail.to }]);
});

test('the header has the time of sending, the mark of an automatic mail, and the language', async () => {
  const server = await start();
  const toAscii = { ...mail, to: 'ase@example.org' };
  await mailerTo(server.port).send(toAscii);
  await mailerTo(server.port).send(toAscii);
  const heads = await Promise.all(server.mails.map(async ({ message }) => PostalMime.parse(message)));
  const [head] = heads;
  const valueOf = (name: string) => head?.headers.find(({ key }) => key === name)?.value;
  assert.equal(valueOf('auto-submitted'), 'auto-generated');
  assert.equal(valueOf('content-language'), 'da');
  assert.equal(Date.parse(valueOf('date') ?? ''), sentAt);
  assert.match(valueOf('message-id') ?? '', /^<[\w-]{36}@example\.org>$/);
  assert.notEqual(heads[0]?.messageId, heads[1]?.messageId);
  assert.match(valueOf('content-type') ?? '', /^multipart\/alternative/);
  assert.match(server.mails[0]?.message ?? '', /^[\x20-\x7e\r\n\t]*?\r\n\r\n/, 'a head of only ASCII');
});

test('a subject cannot inject header fields', async () => {
  const server = await start();
  await mailerTo(server.port).send({ ...mail, subject: 'One\r\nBcc: eve@example.org\u2028Two' });
  const [taken] = server.mails;
  const parsed = await PostalMime.parse(taken?.message ?? '');
  assert.deepEqual([parsed.bcc, taken?.to], [undefined, [mail.to]]);
  assert.equal(parsed.subject, 'One Bcc: eve@example.org Two');
});

test('with STARTTLS and credentials the mail is sent over TLS as that user', async () => {
  const server = await start({
    ...certificate,
    disabledCommands: [],
    onAuth: ({ username, password }, _session, done) => {
      if (password === credentials.password) done(null, { user: username ?? '' });
      else done(new Error(`wrong password ${password}`));
    },
  });
  await mailerTo(server.port, { credentials }).send(mail);
  assert.deepEqual([server.mails[0]?.isSecure, server.mails[0]?.user], [true, credentials.user]);
  const wrong = mailerTo(server.port, { credentials: { ...credentials, password: 'other' } });
  await assert.rejects(wrong.send(mail), refusal('server-unavailable'));
  assert.equal(server.mails.length, 1);
});

test('if TLS is required, nothing is sent without it', async () => {
  const server = await start();
  await assert.rejects(mailerTo(server.port, { requiresTls: true }).send(mail), refusal('server-unavailable'));
  assert.deepEqual(server.mails, []);
});

test('if TLS is required, the certificate must be valid, for STARTTLS and for TLS from the start', async () => {
  const byCommand = await start({ ...certificate, disabledCommands: ['AUTH'] });
  const fromStart = await start({ ...certificate, secure: true, disabledCommands: ['AUTH'] });
  const sendAll = async () => {
    await mailerTo(byCommand.port, { requiresTls: true }).send(mail);
    await mailerTo(fromStart.port, { requiresTls: true, isImplicitTls: true }).send(mail);
  };
  const known = getCACertificates('default');
  for (const settings of [{ requiresTls: true }, { requiresTls: true, isImplicitTls: true }])
    await assert.rejects(
      mailerTo((settings.isImplicitTls ? fromStart : byCommand).port, settings).send(mail),
      refusal('server-unavailable'),
    );
  assert.equal(byCommand.mails.length + fromStart.mails.length, 0);
  try {
    setDefaultCACertificates([...known, certificate.cert]);
    await sendAll();
  } finally {
    setDefaultCACertificates(known);
  }
  assert.deepEqual([byCommand.mails[0]?.isSecure, fromStart.mails[0]?.isSecure], [true, true]);
});

test('on this machine TLS from the start needs no valid certificate', async () => {
  const server = await start({ ...certificate, secure: true, disabledCommands: ['AUTH'] });
  await mailerTo(server.port, { isImplicitTls: true }).send(mail);
  assert.equal(server.mails.length, 1);
});

test('a permanent refusal of an address is distinguished from a temporary one', async () => {
  const refuse = (responseCode: number) => ({
    onRcptTo: ({ address }: { address: string }, _session: unknown, done: (error?: Error) => void) =>
      done(Object.assign(new Error(`no ${address} here`), { responseCode })),
  });
  const [never, later] = [await start(refuse(550)), await start(refuse(450))];
  await assert.rejects(mailerTo(never.port).send(mail), refusal('address-refused'));
  await assert.rejects(mailerTo(later.port).send(mail), refusal('server-unavailable'));
});

test('a server that refuses the sender, the message or every recipient is unavailable', async () => {
  const fail = (done: (error?: Error) => void) => done(Object.assign(new Error('no'), { responseCode: 554 }));
  for (const server of [
    await start({ onConnect: (_session, done) => fail(done) }),
    await start({ onMailFrom: (_address, _session, done) => fail(done) }),
    await start({ onData: (stream, _session, done) => void stream.resume().on('end', () => fail(done)) }),
  ])
    await assert.rejects(mailerTo(server.port).send(mail), refusal('server-unavailable'));
});

test('a mail is refused if no server listens', async () => {
  const server = await startRawServer(() => {});
  await server.stop();
  await assert.rejects(mailerTo(server.port).send(mail), refusal('server-unavailable'));
});

/** The replies of a mail server, which stops answering after the last one. */
const answers = ['220 ready', '250 hello', '250 sender', '250 recipient', '354 go on', '250 taken'];

function converse(socket: Socket, count: number, end: (socket: Socket) => void): void {
  let sent = 0;
  const answer = (): void => {
    if (sent < count) socket.write(`${answers[sent++]}\r\n`);
    else end(socket);
  };
  let isData = false;
  socket.on('data', (chunk) => {
    if (!isData || chunk.toString().endsWith('\r\n.\r\n')) answer();
    isData = sent === 5;
  });
  answer();
}

test('a server that closes the connection at any step is noticed at once', async () => {
  for (let step = 0; step < answers.length; step += 1) {
    const server = await startRaw((socket) => converse(socket, step, (each) => each.destroy()));
    await assert.rejects(mailerTo(server.port).send(mail), refusal('server-unavailable'), `step ${step}`);
  }
});

test('a server that hangs at any step is abandoned in time', async () => {
  for (let step = 0; step < answers.length; step += 1) {
    const server = await startRaw((socket) => converse(socket, step, () => {}));
    const sent = mailerTo(server.port, {}, { stepMs: 100 }).send(mail);
    await assert.rejects(sent, refusal('server-unavailable'), `step ${step}`);
  }
});

test('a server that sends a little at a time is abandoned as well', async () => {
  const server = await startRaw((socket) => {
    const timer = setInterval(() => socket.write('220-wait\r\n'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const tookMs = await measureMs(
    assert.rejects(mailerTo(server.port, {}, { totalMs: 300 }).send(mail), refusal('server-unavailable')),
  );
  assert.ok(tookMs >= 290 && tookMs < 30_000, `${tookMs}`);
});

test('five mails are sent at a time, and the others wait for them', async () => {
  const held: (() => void)[] = [];
  const server = await start({ onConnect: (_session, done) => void held.push(done) });
  const mailer = mailerTo(server.port);
  let isSent = false;
  const sent = Promise.all(Array.from({ length: 8 }, () => mailer.send(mail))).then(() => (isSent = true));
  await waitUntil('five are connected', () => held.length === 5);
  await waitUntil('all are sent', () => {
    assert.ok(held.length <= 5);
    held.shift()?.();
    return isSent;
  });
  await sent;
  assert.equal(server.mails.length, 8);
});

test('managers take turns, so that one who sends many mails does not delay others', async () => {
  const held: (() => void)[] = [];
  const server = await start({ onConnect: (_session, done) => void held.push(done) });
  const mailer = mailerTo(server.port);
  const sent: string[] = [];
  const send = async (manager: string): Promise<void> => {
    await mailer.send(mail, { key: ['sund', manager], signal: new AbortController().signal });
    sent.push(manager);
  };
  const sending = Array.from({ length: 9 }, () => send('many'));
  await waitUntil('five are connected', () => held.length === 5);
  sending.push(send('one'));
  for (let count = 0; count < sending.length; count += 1) {
    await waitUntil('another is connected', () => held.length > 0);
    held.shift()?.();
    await waitUntil('it is sent', () => sent.length > count);
  }
  await Promise.all(sending);
  // Five were being sent, and the first waiting mail comes before the first of the other manager.
  assert.ok(sent.indexOf('one') <= 6, sent.join());
});

test('a mail ends with the deadline of its request, while it waits and while it is sent', async () => {
  const held: (() => void)[] = [];
  const server = await start({ onConnect: (_session, done) => void held.push(done) });
  const mailer = mailerTo(server.port);
  const deadline = new AbortController();
  const turn = { key: ['sund', '1'], signal: deadline.signal };
  const ended = Promise.all(
    Array.from({ length: 6 }, () => assert.rejects(mailer.send(mail, turn), refusal('server-unavailable'))),
  );
  await waitUntil('five are connected', () => held.length === 5);
  deadline.abort(new DOMException('late', 'TimeoutError'));
  await ended;
  assert.deepEqual(server.mails, []);
  await assert.rejects(mailer.send(mail, turn), refusal('server-unavailable'));
});

let outage: Error | undefined;
before(() => process.on('unhandledRejection', (error) => (outage = error as Error)));
after(() => assert.equal(outage, undefined, 'no failure is left to nobody'));
