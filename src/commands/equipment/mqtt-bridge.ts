// `mqtt-bridge`: carries the Equipment API to computers that speak MQTT, until it is stopped.

import type { Config } from '../../config.ts';
import { createLog } from '../../log.ts';
import { startMqttBridge } from '../../providers/mqtt/mqtt-bridge.ts';
import { CommandError } from '../command-error.ts';
import { limits } from '../../http/limits/limits.ts';
import { stopOnSignal } from '../serve/stop-on-signal.ts';

export async function runMqttBridge({ mqttBridge, logLevel }: Config): Promise<void> {
  if (mqttBridge === undefined)
    throw new CommandError('PORTAL_MQTT_BRIDGE must name a JSON file of the broker and the computers', 2);
  const log = createLog(logLevel);
  const bridge = await startMqttBridge(mqttBridge, { log, clock: Date.now }).catch((error: unknown) => {
    throw new CommandError(`the broker ${mqttBridge.broker.host} cannot be reached: ${String(error)}`, 1);
  });
  stopOnSignal(log, limits.shutdownMs, () => bridge.stop());
  process.stdout.write(
    `${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg: 'ready', broker: mqttBridge.broker.host, computers: mqttBridge.computers.length })}\n`,
  );
}
