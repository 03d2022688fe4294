// Starts the service with demo data and a fixed clock, and records the examples of the OpenAPI documents from it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WriteDb } from '../../src/database/db.ts';
import { createOperations, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { seedTenant } from '../../demo/seed.ts';
import { getDemoManagerId } from '../../demo/managers.ts';
import { demoPassword } from '../../src/features/passwords/rules/password.ts';
import { insertVerification } from '../../src/features/profile/queries/email-verifications.ts';
import { hashCode } from '../../src/features/profile/rules/verification-code.ts';
import { exampleFilePath, exampleRequestTarget, readExample, type Example } from '../../src/http/openapi/examples.ts';
import { exampleComputerKey, storeExampleComputers } from './example-computers.ts';
import { storeExampleHeldLines } from './example-held-lines.ts';
import { storeExampleImports } from './example-imports.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { createDependencies, type Dependencies } from '../../src/dependencies.ts';
import { builtInTenants } from '../../src/tenants.ts';

const now = Date.parse('2026-06-15T09:30:00Z');
const [tenant] = builtInTenants.filter(({ name }) => name === 'sund');
const host = 'api.sund.localhost';

type App = Awaited<ReturnType<typeof createApp>>;

export type ExampleService = {
  readonly app: App;
  readonly operations: readonly Operation[];
  close(): Promise<void>;
};

/** Starts the service on a temporary database, which `close` deletes. */
export async function startExampleService(): Promise<ExampleService> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-recording-'));
  const config = readConfig({
    PORTAL_STORAGE: `sqlite:${directory}`,
    PORTAL_CACHE: directory,
    PORTAL_MAIL_OUTBOX: join(directory, 'outbox'),
    PORTAL_HOSTING_STATE: join(directory, 'hosting'),
    PORTAL_LOG_LEVEL: 'silent',
  });
  const dependencies = createDependencies(config, { demo: true, clock: () => now });
  await seed(dependencies);
  const app = await createApp(dependencies);
  const close = async (): Promise<void> => {
    await app.close();
    await dependencies.databases.close();
    rmSync(directory, { recursive: true });
  };
  return { app, operations: createOperations(dependencies).operations, close };
}

async function seed({ databases, passwordHasher }: Dependencies): Promise<void> {
  if (tenant === undefined) throw new Error('the tenant of the examples is not a built-in tenant');
  await databases.migrate(tenant.name);
  const database = databases.forTenant(tenant.name);
  await seedTenant(database, tenant, { now: toMs2000(now), passwords: passwordHasher });
  await database.write({ deadlineMs: 10_000 }, (db) => storeExampleCode(db, tenant.name));
  await storeExampleComputers(database, tenant.name, toMs2000(now));
  await storeExampleHeldLines(database, tenant.name, toMs2000(now));
  await storeExampleImports(database, tenant, toMs2000(now));
}

/** Stores the code that the example of ConfirmMyManagerEmail sends, as if its mail had been read. */
function storeExampleCode(db: WriteDb, tenantName: string): Promise<void> {
  const owner = { tenant: tenantName, managerId: getDemoManagerId('reader'), verificationId: 1 };
  const code = String((readExample('ConfirmMyManagerEmail')?.request.body as { code?: string } | undefined)?.code);
  return insertVerification(
    db,
    { id: owner.managerId },
    {
      verification_id: owner.verificationId,
      email: 'verified@example.org',
      code_hash: hashCode(code, owner),
      requested_at: toMs2000(now),
    },
  );
}

/** Sends the request of an example, and returns the text of the example file with the response in it. */
export async function recordExample({ app }: ExampleService, operation: Operation): Promise<string> {
  const example = readExample(operation.id);
  if (example === undefined) throw new Error(`${exampleFilePath(operation.id)} is missing: write its "request"`);
  const token = await findToken(app, operation, example);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { headers } = example.request;
  const payload = toPayload(operation, example);
  const response = await app.inject({
    method: operation.method,
    url: exampleRequestTarget(operation, example),
    headers: { host, ...authorization, ...payload?.headers, ...headers },
    ...(payload === undefined ? {} : { payload: payload.body }),
  });
  if (response.statusCode >= 300) throw new Error(`the example of ${operation.id} failed: ${response.body}`);
  return formatExample({ ...example, response: exampleResponseOf(response, example) });
}

/** In the example the lines of JSON Lines are an array, and octets are a text. */
function toPayload(
  { bodyFormat }: Operation,
  { request: { body } }: Example,
): { readonly body: string | object; readonly headers?: Readonly<Record<string, string>> } | undefined {
  if (body === undefined) return undefined;
  if (bodyFormat === 'octets') return { body: body as string, headers: { 'content-type': 'text/csv' } };
  if (bodyFormat !== 'jsonl') return { body: body as object };
  const lines = (body as readonly unknown[]).map((line) => `${JSON.stringify(line)}\n`);
  return { body: lines.join(''), headers: { 'content-type': 'application/jsonl' } };
}

/** A manager logs in; a computer has its key. */
async function findToken(
  app: App,
  { access }: Operation,
  { manager }: Pick<Example, 'manager'>,
): Promise<string | undefined> {
  if (access === 'computer') return exampleComputerKey;
  return manager === undefined ? undefined : logIn(app, manager);
}

/** The picture of README.md: the graph of a charging session. */
export const readmePicture = 'docs/charging-session.svg';

export async function drawReadmePicture({ app }: ExampleService): Promise<string> {
  const fields = 'settings=Cycle&states=ChargerState,CableConnected,Power,Current';
  const url = `/api/v1/documents/sund-B1001-L2-U7-D5671/graph.svg?width=800&${fields}`;
  const response = await app.inject({ url, headers: { host, authorization: `Bearer ${await logIn(app, 'reader')}` } });
  if (response.statusCode !== 200) throw new Error(`the picture of README.md failed: ${response.body}`);
  return `${response.body}\n`;
}

async function logIn(app: App, userName: string): Promise<string> {
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/session/login',
    headers: { host },
    payload: { userName, password: demoPassword },
  });
  return response.json<{ accessToken: string }>().accessToken;
}

type InjectedResponse = Awaited<ReturnType<App['inject']>>;

function exampleResponseOf(
  { statusCode: status, headers, body: text }: InjectedResponse,
  { volatile = {} }: Example,
): NonNullable<Example['response']> {
  // Only JSON is recorded; an image is not.
  if (text === '' || !/^application\/json\b/.test(String(headers['content-type']))) return { status };
  const body: unknown = JSON.parse(text);
  const unknown = Object.keys(volatile).filter((name) => !Object.hasOwn(body as object, name));
  if (unknown.length > 0) throw new Error(`the response has no ${unknown.join(', ')}`);
  return { status, body: Object.keys(volatile).length === 0 ? body : { ...(body as object), ...volatile } };
}

const formatExample = (example: Example): string => `${JSON.stringify(example, null, 2)}\n`;
