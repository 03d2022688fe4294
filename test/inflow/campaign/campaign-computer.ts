// A computer of the campaign: what it has on its disk, the lines that it makes, and how it sends them. It knows which
// lines must have arrived once at the end.

import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../demo/random.ts';

export type CampaignStream = 'money' | 'samples';

type StoredLine = { readonly n: number; readonly text: string };

/** What survives when the computer is killed. */
type Disk = {
  epoch: string;
  nextN: number;
  lines: StoredLine[];
  /** The last lines that were acknowledged, from a backup of the disk. */
  acknowledged: StoredLine[];
};

export type ComputerOptions = {
  readonly id: number;
  readonly key: string;
  readonly unitKid: string;
  /** Numbers of tags that residents have. */
  readonly tags: readonly string[];
  readonly port: number;
  readonly random: Random;
  /** How many lines each stream gets, unless the computer finishes before. */
  readonly lineCount: number;
  /** Between two requests of a stream. */
  readonly restMs?: number;
  /** How many requests of a stream can fail one after the other; the computer gives up then. */
  readonly maxFailures?: number;
};

const maxLinesPerRequest = 50;
const maxAcknowledgedKept = 30;
const requestTimeoutMs = 10_000;

export class CampaignComputer {
  /** The names of all money lines that the computer has ever made. */
  readonly money: string[] = [];
  /** Of each kind of answer, how many there were. */
  readonly answers = new Map<string, number>();
  readonly #options: ComputerOptions;
  readonly #disks: Record<CampaignStream, Disk>;
  /** How many of its streams still have lines to send. */
  sendingCount = 0;
  #clockOffsetMs = 0;
  #running = new AbortController();
  #isFinishing = false;
  #isAbandoned = false;

  constructor(options: ComputerOptions) {
    this.#options = options;
    const createDisk = (): Disk => ({ epoch: this.#makeEpoch(), nextN: 1, lines: [], acknowledged: [] });
    this.#disks = { money: createDisk(), samples: createDisk() };
  }

  /** SIGKILL: requests in flight end, and what is on the disk stays. It goes on at once. */
  kill(): void {
    this.#running.abort();
    this.#running = new AbortController();
  }

  /** It makes no more lines, and sends those that it has. */
  finish(): void {
    this.#isFinishing = true;
  }

  /** It sends nothing more. */
  abandon(): void {
    this.#isAbandoned = true;
    this.kill();
  }

  /** It forgets how it has numbered its lines, and sends some again that had arrived: with their references. */
  loseMemory(): void {
    this.kill();
    for (const disk of Object.values(this.#disks)) {
      disk.epoch = this.#makeEpoch();
      disk.lines = [...disk.acknowledged, ...disk.lines].map(({ text: line }, at) => renumber(line, at + 1));
      disk.acknowledged = [];
      disk.nextN = disk.lines.length + 1;
    }
  }

  #makeEpoch(): string {
    return this.#options.random.int(0, 2 ** 30).toString(16);
  }

  moveClock(): void {
    const hours = 3_600_000;
    this.#clockOffsetMs = this.#options.random.pick([0, 0, 3 * hours, -5 * hours, 90_000]);
  }

  /** Makes all lines and sends them, until the service has acknowledged the last one. */
  async run(stream: CampaignStream): Promise<void> {
    const disk = this.#disks[stream];
    let made = 0;
    let failures = 0;
    this.sendingCount += 1;
    const { restMs = 0, maxFailures = 200 } = this.#options;
    while ((made < this.#options.lineCount && !this.#isFinishing) || disk.lines.length > 0) {
      if (this.#isAbandoned) break;
      const left = this.#isFinishing ? 0 : this.#options.lineCount - made;
      const more = Math.min(this.#options.random.int(0, maxLinesPerRequest), left);
      for (let at = 0; at < more; at += 1) this.#store(stream, made + at);
      made += more;
      if (disk.lines.length === 0) continue;
      const isAccepted = await this.#send(stream, disk);
      failures = isAccepted ? 0 : failures + 1;
      if (!isAccepted) await pause(Math.min(20 * 2 ** failures, 500) * this.#options.random.next());
      else if (restMs > 0) await pause(restMs);
      if (failures > maxFailures)
        throw new Error(`computer ${this.#options.id} cannot send: ${this.describeAnswers()}`);
    }
    this.sendingCount -= 1;
  }

  describeAnswers(): string {
    return [...this.answers].map(([answer, count]) => `${answer}: ${count}`).join(', ');
  }

  #store(stream: CampaignStream, index: number): void {
    const disk = this.#disks[stream];
    const n = disk.nextN;
    disk.nextN += 1;
    disk.lines.push({ n, text: stream === 'money' ? this.#moneyLine(n, index) : this.#samplesLine(n, index) });
  }

  #moneyLine(n: number, index: number): string {
    const { id, unitKid, tags, random } = this.#options;
    const name = `c${id}-${index}`;
    this.money.push(name);
    const key = random.chance(0.03) ? `FF${random.int(10_000, 99_999)}` : random.pick(tags);
    const amountMinor = random.chance(0.01) ? 'no amount' : String(-random.int(1, 5000));
    const line = { n, t: 'use', at: this.#now(), unit: unitKid, key, amountMinor, currency: 'DKK', text: name };
    return JSON.stringify({ ...line, ref: name });
  }

  #samplesLine(n: number, index: number): string {
    return JSON.stringify({
      n,
      t: 'state',
      unit: this.#options.unitKid,
      at: this.#now(),
      name: 'CycleCount',
      value: index,
    });
  }

  #now(): string {
    return new Date(Date.now() + this.#clockOffsetMs).toISOString();
  }

  /** Whether some lines were acknowledged. */
  async #send(stream: CampaignStream, disk: Disk): Promise<boolean> {
    const lines = disk.lines.slice(0, maxLinesPerRequest);
    const header = {
      epoch: disk.epoch,
      first: lines[0]?.n,
      sentAt: this.#now(),
      software: 'campaign',
      buffered: disk.lines.length,
    };
    const body = [JSON.stringify(header), ...lines.map((line) => line.text), ''].join('\n');
    const answer = await this.#post(`/equipment/v1/streams/${stream}`, body, 'application/jsonl');
    this.answers.set(answer.name, (this.answers.get(answer.name) ?? 0) + 1);
    // The computer has begun to count anew meanwhile: the answer is about other lines.
    if (disk.epoch !== header.epoch) return false;
    if (answer.status === 200) {
      const arrived = disk.lines.filter(({ n }) => n <= answer.json.through);
      disk.acknowledged = [...disk.acknowledged, ...arrived].slice(-maxAcknowledgedKept);
      disk.lines = disk.lines.filter(({ n }) => n > answer.json.through);
      // Sometimes the disk still has the last lines, as after a crash before they were deleted.
      if (this.#options.random.chance(0.05))
        disk.lines = [...lines.filter(({ n }) => n <= answer.json.through), ...disk.lines];
      return true;
    }
    if (answer.name === 'unknown-epoch') await this.#beginEpoch(stream, disk);
    if (answer.name === 'stream-gap')
      throw new Error(`a line was acknowledged and is missing: ${JSON.stringify(answer.json)}`);
    if (answer.status === 400 || answer.status === 500)
      throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
    return false;
  }

  async #beginEpoch(stream: CampaignStream, { epoch }: Disk): Promise<void> {
    const path = `/equipment/v1/streams/${stream}/epoch`;
    await this.#post(path, JSON.stringify({ epoch, reason: 'first start' }), 'application/json');
  }

  /** Status 0 where there is no answer, or not a whole one. */
  async #post(path: string, body: string, contentType: string) {
    const { port, key } = this.#options;
    const { signal } = this.#running;
    try {
      const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
      const sent = request({
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
        headers: {
          host: 'api.sund.localhost',
          authorization: `Bearer ${key}`,
          'content-type': contentType,
          'content-length': Buffer.byteLength(body),
        },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        text(response).then((answered) => resolve({ status: response.statusCode ?? 0, body: answered }), reject);
      });
      sent.end(body);
      const answer = await promise;
      const json = answer.body === '' ? {} : JSON.parse(answer.body);
      return { status: answer.status, json, name: answer.status === 200 ? 'ok' : String(json.code ?? answer.status) };
    } catch {
      // Cut, refused, killed or timed out: the computer knows nothing, and sends again.
      return { status: 0, json: {}, name: 'no answer' };
    }
  }
}

const renumber = (line: string, n: number): StoredLine => ({ n, text: JSON.stringify({ ...JSON.parse(line), n }) });
