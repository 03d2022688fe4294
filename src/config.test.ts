// The settings: what each may be, what it is by default, and that anything else is refused under its name.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createCertificateAuthority } from '../test/http/support/certificate.ts';
import { ConfigError, readConfig, settings, unknownSettings, type Config } from './config.ts';
import { builtInTenants } from './tenants.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-config-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
function writeConfigFile(content: string): string {
  const path = join(folder, `file${++files}`);
  writeFileSync(path, content);
  return path;
}

type ConfigName = keyof Config;

function assertRefused(name: ConfigName, texts: readonly string[]): void {
  const { variable } = settings[name];
  for (const text of texts)
    assert.throws(
      () => readConfig({ [variable]: text }),
      (error) =>
        error instanceof ConfigError &&
        error.message.startsWith(`${variable}: `) &&
        error.message.length > variable.length + 8,
      `${variable}=${text}`,
    );
}

function assertAccepted<N extends ConfigName>(
  name: N,
  values: readonly (readonly [text: string, value: Config[N]])[],
): void {
  const { variable } = settings[name];
  for (const [text, value] of values)
    assert.deepEqual(readConfig({ [variable]: text })[name], value, `${variable}=${text}`);
}

test('by default the service is on loopback, on SQLite, for six tenants, with limits', () => {
  const config = readConfig({});
  assert.deepEqual(config, {
    host: '127.0.0.1',
    port: 8080,
    equipment: true,
    equipmentPort: 8081,
    domain: 'localhost',
    storage: { engine: 'sqlite', directory: './data' },
    cache: './data/cache',
    tenants: builtInTenants,
    geocoder: undefined,
    hosting: undefined,
    hostingState: './data/hosting',
    liveLogs: {},
    mqttBridge: undefined,
    activationUrl: 'https://{tenant}.{domain}/activation/{code}',
    smtp: undefined,
    mailFrom: undefined,
    mailOutbox: './data/outbox',
    releases: '',
    publicScheme: '',
    allowedOrigins: [],
    tlsCert: undefined,
    tlsKey: undefined,
    metricsPort: 9464,
    logLevel: 'info',
    rateLimit: { principalPerMinute: 6000, addressPerMinute: 12_000 },
    connections: { total: 10_000, perAddress: 256 },
    trustedProxies: [],
    simulator: true,
    workers: 1,
    stopDelaySeconds: 0,
  });
  assert.ok(Object.isFrozen(config));
});

test('PORTAL_WORKERS is from 1 to 64, and PORTAL_STOP_DELAY from 0 to 600 seconds', () => {
  assertAccepted('workers', [
    ['1', 1],
    ['64', 64],
  ]);
  assertRefused('workers', ['0', '65', '-1', '1.5', 'two']);
  assertAccepted('stopDelaySeconds', [
    ['0', 0],
    ['600', 600],
  ]);
  assertRefused('stopDelaySeconds', ['601', '-1', '1.5', '10s']);
});

test('PORTAL_HOST is a name or an address', () => {
  for (const host of ['0.0.0.0', '::', '::1', 'localhost', 'my-host.example']) assertAccepted('host', [[host, host]]);
  assertRefused('host', ['', ' ', 'a b', '[::1]', 'http://x', 'a/b', 'x'.repeat(256)]);
});

test('PORTAL_RELEASES is a directory, and PORTAL_PUBLIC_SCHEME a scheme', () => {
  assertAccepted('releases', [['/srv/releases', '/srv/releases']]);
  assertRefused('releases', ['a\0b']);
  for (const scheme of ['http', 'https'] as const) assertAccepted('publicScheme', [[scheme, scheme]]);
  assertRefused('publicScheme', ['ftp', 'HTTPS', 'https:', ' ']);
});

test('PORTAL_PORT and PORTAL_METRICS_PORT are ports, or 0 for any free one', () => {
  for (const name of ['port', 'metricsPort'] as const) {
    assertAccepted(name, [
      ['0', 0],
      ['1', 1],
      ['443', 443],
      ['65535', 65_535],
    ]);
    assertRefused(name, ['', '-1', '65536', '99999', '100000', '80.5', '8e1', '0x50', ' 80', '80 ', 'http', 'NaN']);
  }
});

test('PORTAL_DOMAIN is a domain name, and counts in lower case', () => {
  assertAccepted('domain', [
    ['Portal.Example', 'portal.example'],
    ['localhost', 'localhost'],
    ['a', 'a'],
    ['x-1.y', 'x-1.y'],
  ]);
  assertRefused('domain', ['', '.', '-a', 'a-', 'a.', '.a', 'a b', 'a:80', 'a/b', 'a_b', 'ø.example', 'x'.repeat(300)]);
});

test('PORTAL_STORAGE is a folder for SQLite, or where a MySQL server is and what its schemas begin with', () => {
  const mysql = {
    engine: 'mysql',
    nodes: [{ host: 'db.example', port: 3306 }],
    user: 'portal',
    password: 's/e:c@r',
    prefix: 'p_',
  } as const;
  assertAccepted('storage', [
    ['sqlite:./data', { engine: 'sqlite', directory: './data' }],
    ['sqlite:/var/lib/portal data', { engine: 'sqlite', directory: '/var/lib/portal data' }],
    ['mysql://portal:s%2Fe%3Ac%40r@db.example/p_', mysql],
    ['mysql://portal:s%2Fe%3Ac%40r@db.example:3307/p_', { ...mysql, nodes: [{ host: 'db.example', port: 3307 }] }],
    [
      'mysql://root@[::1]:1/x',
      { ...mysql, nodes: [{ host: '::1', port: 1 }], user: 'root', password: '', prefix: 'x' },
    ],
    [
      'mysql://portal:s%2Fe%3Ac%40r@10.0.0.1,db.example:3307,[fd00::2]/p_',
      {
        ...mysql,
        nodes: [
          { host: '10.0.0.1', port: 3306 },
          { host: 'db.example', port: 3307 },
          { host: 'fd00::2', port: 3306 },
        ],
      },
    ],
  ]);
  assertRefused('storage', [
    '',
    'sqlite',
    'sqlite:',
    './data',
    'postgres://user:password@host/p_',
    'mysql:',
    'mysql://host',
    'mysql://host/',
    'mysql://host/a-b',
    'mysql://host/a/b',
    'mysql://host/p_?ssl=true',
    'mysql://host/p_#x',
    'mysql://host:99999/p_',
    'mysql:///p_',
    'mysql://one,/p_',
    'mysql://one,,two/p_',
    'mysql://one,two:x/p_',
    'mysql://one,two/p_,q_',
    'mysql://user@one,user@two/p_',
    'mysql://user:%zz@host/p_',
    `mysql://host/${'x'.repeat(33)}`,
  ]);
});

test('[storage.03] PORTAL_STORAGE says how connections are encrypted, and never without a proof of the name', () => {
  const authority = createCertificateAuthority('authority');
  const { cert, key } = authority.issue(['db.example']);
  const texts = { ca: authority.cert, cert, key, other: authority.issue(['db.example']).key, none: 'no certificate' };
  const paths = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, writeConfigFile(text)]));
  const broken = writeConfigFile(authority.cert.replace('MII', 'AAA'));
  const mysql = {
    engine: 'mysql',
    nodes: [{ host: 'db', port: 3306 }],
    user: 'u',
    password: '',
    prefix: 'p_',
  } as const;
  const url = (parameters: string): string => `mysql://u@db/p_?${parameters}`;
  const trusted = { ...mysql, tls: { ca: authority.cert } };
  assertAccepted('storage', [
    [url(''), mysql],
    [url('ssl-mode=DISABLED'), mysql],
    [url('ssl-mode=VERIFY_IDENTITY'), { ...mysql, tls: {} }],
    [url(`ssl-ca=${paths['ca']}`), trusted],
    [url(`ssl-mode=VERIFY_IDENTITY&ssl-ca=${encodeURIComponent(String(paths['ca']))}`), trusted],
    [
      url(`ssl-ca=${paths['ca']}&ssl-cert=${paths['cert']}&ssl-key=${paths['key']}`),
      { ...mysql, tls: { ca: authority.cert, cert, key } },
    ],
  ]);
  assertRefused('storage', [
    ...['PREFERRED', 'REQUIRED', 'VERIFY_CA', 'verify_identity'].map((mode) => url(`ssl-mode=${mode}`)),
    url('ssl-mode='),
    url('ssl-mode'),
    url('ssl=true'),
    url('ssl-ca=%zz'),
    url('ssl-ca=/nowhere/ca.pem'),
    url(`ssl-ca=${paths['none']}`),
    url(`ssl-ca=${broken}`),
    url(`ssl-ca=${paths['ca']}&ssl-ca=${paths['ca']}`),
    url(`ssl-ca=${paths['ca']}&ssl-mode=DISABLED`),
    url(`ssl-cert=${paths['cert']}`),
    url(`ssl-key=${paths['key']}`),
    url(`ssl-cert=${paths['cert']}&ssl-key=${paths['other']}`),
  ]);
});

test('a refused PORTAL_STORAGE does not repeat its password', () => {
  for (const text of ['mysql://user:hunter2@host', 'mysql://user:hunter2%zz@host/p_', 'hunter2'])
    assert.throws(
      () => readConfig({ PORTAL_STORAGE: text }),
      (error: Error) => !error.message.includes('hunter2'),
    );
});

test('PORTAL_TENANTS is a file of tenants', () => {
  const one = { name: 'oslo', displayName: 'Oslo', country: 'NO', currency: 'NOK', timeZone: 'Europe/Oslo' };
  const two = { ...one, name: 'bergen2' };
  const written = (content: unknown): string => writeConfigFile(JSON.stringify(content));
  assertAccepted('tenants', [
    ['', builtInTenants],
    [written([one]), [one]],
    [written([one, two]), [one, two]],
  ]);
  const wrong: unknown[] = [
    [],
    {},
    null,
    one,
    [null],
    [one, one],
    [{ ...one, extra: 1 }],
    [{ name: 'oslo' }],
    ...['', 'Oslo', 'os-lo', '1oslo', 'os.lo', 'ås', 'x'.repeat(32)].map((name) => [{ ...one, name }]),
    ...['', 'no', 'NOR'].map((country) => [{ ...one, country }]),
    ...['', 'nok', 'NO'].map((currency) => [{ ...one, currency }]),
    ...['', 'Europe/Atlantis', 'europe/oslo', 'Romance Standard Time', 'CET+1'].map((timeZone) => [
      { ...one, timeZone },
    ]),
    ...['', 'x'.repeat(101), 7, null].map((displayName) => [{ ...one, displayName }]),
    Array.from({ length: 101 }, (_, index) => ({ ...one, name: `t${index}` })),
  ];
  assertRefused('tenants', [
    join(folder, 'missing'),
    folder,
    writeConfigFile(''),
    writeConfigFile('[{'),
    ...wrong.map(written),
  ]);
});

test('PORTAL_ACTIVATION_URL is a web address with the code in it', () => {
  const taken = [
    'https://{tenant}.{domain}/activation/{code}',
    'http://localhost:3000/#{code}',
    'https://welcome.example/{tenant}/{tenant}?code={code}&again={code}',
  ];
  assertAccepted(
    'activationUrl',
    taken.map((each) => [each, each]),
  );
  const refused = ['', '{code}', '/activation/{code}', 'https://{tenant}.{domain}/activation', 'ftp://x/{code}'];
  assertRefused('activationUrl', [...refused, 'https://{elsewhere}/{code}', 'javascript:alert({code})']);
});

test('PORTAL_ALLOWED_ORIGINS is a list of exact origins', () => {
  assertAccepted('allowedOrigins', [
    ['', []],
    [' , ', []],
    ['https://portal.example', ['https://portal.example']],
    ['https://portal.example:8443, http://localhost:5173 ,', ['https://portal.example:8443', 'http://localhost:5173']],
  ]);
  assertRefused('allowedOrigins', [
    '*',
    'null',
    'portal.example',
    'https://portal.example/',
    'https://portal.example/path',
    'https://portal.example?x',
    'https://user@portal.example',
    'https://portal.example:443',
    'HTTPS://portal.example',
    'https://Portal.example',
    'https://*.portal.example',
    'https://a.example https://b.example',
    'file:///tmp',
    'https://a.example,x',
  ]);
});

test('PORTAL_LOG_LEVEL is one of the levels', () => {
  for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const)
    assertAccepted('logLevel', [[level, level]]);
  assertRefused('logLevel', ['', 'INFO', 'verbose', '30', 'info ']);
});

test('PORTAL_RATE_LIMIT is a principal’s requests a minute and an address’s, or off', () => {
  assertAccepted('rateLimit', [
    ['off', undefined],
    ['1', { principalPerMinute: 1, addressPerMinute: 2 }],
    ['100,150', { principalPerMinute: 100, addressPerMinute: 150 }],
    ['999999999,1', { principalPerMinute: 999_999_999, addressPerMinute: 1 }],
  ]);
  assertRefused('rateLimit', [
    '',
    '0',
    '0,1',
    '1,0',
    '-1',
    '1.5',
    '1e3',
    '1,2,3',
    '1,',
    ',1',
    '1, 2',
    'OFF',
    'on',
    '1000000000',
  ]);
});

test('PORTAL_CONNECTIONS is how many there may be in all, and of an address', () => {
  assertAccepted('connections', [
    ['1,1', { total: 1, perAddress: 1 }],
    ['20000,500', { total: 20_000, perAddress: 500 }],
  ]);
  assertRefused('connections', [
    '',
    '0,1',
    '1,0',
    '100',
    '1,',
    ',1',
    '1, 2',
    '-1,1',
    '1e3,1',
    '1,2,3',
    '12345678,1',
    'off',
  ]);
});

test('PORTAL_TRUSTED_PROXIES is a list of addresses and CIDR ranges, none of which is everybody', () => {
  assertAccepted('trustedProxies', [
    ['', []],
    ['10.1.2.3', [{ address: '10.1.2.3', prefix: 32, family: 'ipv4' }]],
    [
      ' 10.0.0.0/8 , 2001:db8::/32, ::1',
      [
        { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
        { address: '2001:db8::', prefix: 32, family: 'ipv6' },
        { address: '::1', prefix: 128, family: 'ipv6' },
      ],
    ],
  ]);
  assertRefused('trustedProxies', [
    'loopback',
    'proxy.example',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/0',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/255.0.0.0',
    '10.0.0.1:80',
    '[::1]',
    'fe80::1%eth0',
    '10.0.0.1 10.0.0.2',
  ]);
});

test('PORTAL_SIMULATOR is on or off', () => {
  assertAccepted('simulator', [
    ['on', true],
    ['off', false],
  ]);
  assertRefused('simulator', ['', 'true', '1', 'ON', 'no']);
});

test('PORTAL_TLS_CERT and PORTAL_TLS_KEY are files, both or neither, and belong together', () => {
  assertRefused('tlsCert', [join(folder, 'missing.pem'), folder]);
  assertRefused('tlsKey', [join(folder, 'missing.pem'), folder]);
  const [text, other] = [writeConfigFile('no certificate'), writeConfigFile('no key')];
  for (const given of [
    { PORTAL_TLS_CERT: text },
    { PORTAL_TLS_KEY: text },
    { PORTAL_TLS_CERT: text, PORTAL_TLS_KEY: other },
  ])
    assert.throws(() => readConfig(given), { name: 'ConfigError', message: /^PORTAL_TLS_CERT and PORTAL_TLS_KEY / });
});

test('what looks like a setting and is none is found', () => {
  const environment = {
    PORTAL_PORT: '1',
    PORTAL_PROT: '1',
    portal_port: '1',
    PORTAL_: '',
    PATH: '',
    MY_PORTAL_PORT: '',
  };
  assert.deepEqual(unknownSettings(environment), ['PORTAL_PROT', 'PORTAL_']);
  assert.deepEqual(
    unknownSettings(Object.fromEntries(Object.values(settings).map(({ variable }) => [variable, '']))),
    [],
  );
});

test('hosting is configured by a file, and the measurements of this machine have a folder', () => {
  assertRefused('hosting', ['/nowhere/hosting.json', import.meta.filename]);
  assertRefused('hostingState', ['', 'a\0b']);
});

test('mail has a server with a sender, or an outbox', () => {
  const PORTAL_SMTP_URL = 'smtp://user:canary@mail.example.org';
  assertRefused('smtp', ['mail.example.org', 'http://mail.example.org', 'smtp://user@mail.example.org']);
  assertRefused('mailFrom', ['portal', 'a@b.example, c@d.example']);
  assertRefused('mailOutbox', ['', 'a\0b']);
  assert.throws(
    () => readConfig({ PORTAL_SMTP_URL }),
    (error) =>
      error instanceof ConfigError && error.message.includes('PORTAL_MAIL_FROM') && !error.message.includes('canary'),
  );
  const { smtp, mailFrom } = readConfig({ PORTAL_SMTP_URL, PORTAL_MAIL_FROM: 'Portal <portal@example.org>' });
  assert.deepEqual([smtp?.host, mailFrom], ['mail.example.org', { name: 'Portal', address: 'portal@example.org' }]);
});
