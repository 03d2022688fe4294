// Takes the pictures of docs/console.md and README.md: starts the service with new demo data, opens the console in
// Chromium, and writes small PNG files into docs/pictures/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { findProgram } from '../test/support/programs.ts';

const root = join(import.meta.dirname, '..');
const mostOctets = 150_000;
const readyWithinMs = 3 * 60_000;

type Picture = {
  readonly name: string;
  readonly path: string;
  readonly scheme?: 'dark';
  readonly width?: number;
  readonly prepare?: (page: Page) => Promise<unknown>;
};

const dialog = (page: Page) => page.getByRole('dialog');

const pictures: readonly Picture[] = [
  { name: 'home', path: '/' },
  { name: 'account', path: '/banks/sund-B1001/account' },
  { name: 'bookings', path: '/banks/sund-B1001/bookings?view=week', scheme: 'dark' },
  {
    name: 'setting',
    path: '/units/sund-B1001-L1-U2?group=Operation',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Change Maximum temperature' }).click();
      await dialog(page).getByLabel('Value', { exact: true }).fill('60');
    },
  },
  {
    name: 'permissions',
    path: '/managers/sund-M1005?do=permissions',
    prepare: (page) => dialog(page).getByLabel('Role').selectOption({ label: 'Operator' }),
  },
  { name: 'unit-on-a-phone', path: '/units/sund-B1001-L1-U2?group=Status', scheme: 'dark', width: 390 },
];

const folder = await mkdtemp(join(tmpdir(), 'portal-pictures-'));
const port = await findFreePort();
const service = spawn(process.execPath, ['bin/portal.mjs', 'serve', '--demo'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    PORTAL_PORT: String(port),
    PORTAL_STORAGE: `sqlite:${folder}`,
    PORTAL_LOG_LEVEL: 'error',
  },
});
const ended = once(service, 'exit');
try {
  await waitUntilReady();
  await takePictures();
} finally {
  service.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}

async function waitUntilReady(): Promise<void> {
  const untilMs = performance.now() + readyWithinMs;
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}`);
    if (performance.now() > untilMs) throw new Error(`not ready after ${readyWithinMs} ms`);
    await sleep(200);
  }
}

async function takePictures(): Promise<void> {
  const executablePath = findProgram('chromium');
  if (executablePath === undefined) throw new Error('this needs the Debian package chromium');
  const args = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.localhost 127.0.0.1'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' });
    const page = await context.newPage();
    const origin = `http://api.sund.localhost:${port}/console`;
    await page.goto(`${origin}/`);
    await page.getByLabel('User name').fill('owner');
    await page.getByLabel('Password').fill('demo-Password-1');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('#main h1').waitFor();
    for (const picture of pictures) await takePicture(page, origin, picture);
  } finally {
    await browser.close();
  }
}

async function takePicture(page: Page, origin: string, picture: Picture): Promise<void> {
  const { name, path, scheme = 'light', width = 1200, prepare } = picture;
  await page.setViewportSize({ width, height: 780 });
  await page.emulateMedia({ colorScheme: scheme });
  await page.goto(`${origin}${path}`);
  await page.locator('#main h1').waitFor();
  await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' });
  // The icons of the service come after the texts.
  await sleep(500);
  await prepare?.(page);
  const file = await sharp(await page.screenshot())
    .png({ palette: true, colours: 64, effort: 10 })
    .toBuffer();
  if (file.length > mostOctets) throw new Error(`${name}.png has ${file.length} octets, more than ${mostOctets}`);
  await writeFile(join(root, 'docs/pictures', `${name}.png`), file);
}
