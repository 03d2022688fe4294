// Floods both streams of a computer with a hundred lines in each request, without a pause: SIGUSR2 begins it, and ends it
// again. Its arguments are the port, the key, the KID of a unit and a tag. It is a process of its own, since making the
// lines must not delay what measures others. Prints a line of JSON when it waits for the signal.

import { createStreamSender } from './stream-sender.ts';

const [port, key = '', unit, tag] = process.argv.slice(2);
const linesOfRequest = 100;
const sender = createStreamSender(Number(port), key);
const use = { t: 'use', unit, key: tag, amountMinor: '-1500', currency: 'DKK' };
const state = { t: 'state', unit, name: 'CycleCount' };
let value = 0;
const linesOf = {
  money: (at: string) => ({ ...use, at }),
  samples: (at: string) => ({ ...state, at, value: ++value }),
};

let flooding: AbortController | undefined;
let flood = Promise.resolve();

async function run(stream: 'money' | 'samples', { signal }: AbortController): Promise<void> {
  while (!signal.aborted) {
    const at = new Date().toISOString();
    await sender.send(
      stream,
      Array.from({ length: linesOfRequest }, () => linesOf[stream](at)),
    );
  }
}

process.on('SIGUSR2', () => {
  if (flooding !== undefined) {
    flooding.abort();
    flooding = undefined;
    return;
  }
  const begun = new AbortController();
  flooding = begun;
  flood = flood.then(() => Promise.all([run('money', begun), run('samples', begun)])).then(() => {});
});
// Until it is stopped.
setInterval(() => {}, 1000);
process.stdout.write('{"waits":true}\n');
