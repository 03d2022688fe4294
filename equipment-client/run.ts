// Runs a computer from the command line, with a device that prints what it has to know. Lines come from standard input:
//   node run.ts --file computer.sqlite --service https://api.sund.example [--host name] [--code 7K3M-...]

import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openComputer } from './computer.ts';
import type { Line } from './lines.ts';

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: 'computer.sqlite' },
    service: { type: 'string', default: 'http://127.0.0.1:8080' },
    host: { type: 'string' },
    code: { type: 'string' },
    serial: { type: 'string', default: 'example' },
  },
});
const computer = openComputer({
  file: values.file,
  service: values.service,
  serial: values.serial,
  software: '0.1.0',
  ...(values.host === undefined ? {} : { host: values.host }),
  device: {
    apply: (change) => {
      console.log(JSON.stringify(change));
      return { ok: true };
    },
  },
  onHeld: (held) => console.error(JSON.stringify({ held })),
});
if (values.code !== undefined) console.error(`enrolled as ${await computer.enrol(values.code)}`);
computer.start();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void computer.stop().then(() => process.exit()));
createInterface({ input: process.stdin }).on('line', (text) => {
  if (text.trim() !== '') console.error(`recorded ${computer.record(JSON.parse(text) as Line)}`);
});
