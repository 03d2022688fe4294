// Declares suites on a running service, which starts before their tests and stops after them, on each engine.

import { after, before, beforeEach } from 'node:test';
import { fromMs2000 } from '../../src/lib/time/ms2000.ts';
import { clearAudit } from './audit.ts';
import { createToken, type ManagerOptions, type TokenOptions } from './factories.ts';
import {
  createStorage,
  onBothEngines,
  startService,
  type Engine,
  type TestService,
  type TestServiceOptions,
  type TestStorage,
} from './service.ts';
import { dayMs } from './times.ts';

export type SuiteOptions = Pick<TestServiceOptions, 'settings' | 'tenants' | 'demo' | 'geocoder'> & {
  /**
   * The service's clock, in milliseconds since 2000: it stands still, and is set back before each test, with an empty audit log if a test has moved it. Without it the
   * service has the machine's clock.
   */
  readonly now?: number;
  /** The rights of the suite's manager; every right, tenant-wide, unless told otherwise. False: there is no manager. */
  readonly manager?: ManagerOptions | false;
  /** Work that is done before the service starts. */
  readonly prepare?: () => Promise<void>;
  /** The number of services on the same storage; one by default. */
  readonly replicas?: number;
};

/** What a suite uses. The objects stay the same, so that they can be destructured before the service has started. */
export type ServiceSuite = {
  readonly engine: Engine;
  readonly storage: TestStorage;
  /** The first replica. */
  readonly service: TestService;
  /** The replicas in turn, by the number of a call. */
  replicaFor(at: number): TestService;
  /** A manager and a session that no test outlives; can be passed as the options of a call. */
  readonly manager: { readonly token: string; readonly managerId: number };
  /** A test may move it: `clock.now += dayMs`. */
  readonly clock: { now: number };
  /** From 2001 on: lower ones are for the suite itself. */
  nextBankId(): number;
  /** The token of one more manager, whose session no test outlives. */
  issueToken(options?: TokenOptions): Promise<string>;
  /** Resolves when the service has started. Hooks at the top level of a file begin together, and have to wait for it. */
  readonly started: Promise<void>;
  /** Work that is done before the service stops, the last first. */
  onStop(work: () => unknown): void;
};

/** Longer than any test moves its clock. */
const livesMs = 1000 * 366 * dayMs;

/** Declares a suite for both engines. */
export function serviceSuite(options: SuiteOptions, declare: (suite: ServiceSuite) => void): void {
  onBothEngines((engine) => declare(serviceFixture(engine, options)));
}

/** The same for one engine: for a whole file, or inside a describe. */
export function serviceFixture(engine: Engine, options: SuiteOptions = {}): ServiceSuite {
  const { now, manager: rights = {}, prepare, replicas: count = 1, ...rest } = options;
  const stack = new AsyncDisposableStack();
  const storage = {} as TestStorage;
  const manager = {} as ServiceSuite['manager'];
  const clock = { now: now ?? Number.NaN };
  const replicas = Array.from({ length: count }, () => ({}) as TestService);
  const [service = {} as TestService] = replicas;
  const { promise: started, resolve: resolveStarted } = Promise.withResolvers<void>();
  let bankId = 2000;

  before(async () => {
    await prepare?.();
    Object.assign(storage, await createStorage(engine));
    stack.defer(() => storage.release());
    const clockOption = now === undefined ? {} : { clock: () => fromMs2000(clock.now) };
    for (const replica of replicas) {
      Object.assign(replica, await startService(engine, { ...rest, ...clockOption, storage }));
      stack.defer(() => replica.stop());
    }
    if (rights !== false) Object.assign(manager, await createToken(service, { livesMs, ...rights }));
    resolveStarted();
  });
  if (now !== undefined)
    beforeEach(async () => {
      if (clock.now > now) for (const tenant of rest.tenants ?? ['sund']) await clearAudit(service, tenant);
      clock.now = now;
    });
  after(() => stack.disposeAsync());

  return {
    engine,
    storage,
    service,
    replicaFor: (at) => replicas[at % count] ?? service,
    manager,
    clock,
    started,
    nextBankId: () => (bankId += 1),
    issueToken: async (wanted = {}) => (await createToken(service, { livesMs, ...wanted })).token,
    onStop: (work) => stack.defer(async () => void (await work())),
  };
}
