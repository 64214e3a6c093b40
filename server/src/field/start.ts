import { readFileSync } from 'node:fs';
import { reasonOf, StartError } from '../env/start-error.ts';
import type { Deps } from '../kit/deps.ts';
import { type Broker, openBroker } from './broker/broker.ts';
import { type Endpoint, openEndpoint } from './endpoint/endpoint.ts';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

const readPem = (name: string, path: string) => {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartError(`${name} cannot be read: ${reasonOf(error)}.`);
  }
};

/**
 * Opens the gateway listener. If the default port is in use, for example by a local broker, the console starts without gateways and reports
 * it. An explicit port must be free.
 */
export const startField = async (deps: Deps, print: (line: string) => void): Promise<Endpoint | undefined> => {
  const { port, host, isExplicit, tls } = deps.config.mqtt;
  if (deps.config.broker && !isExplicit) return undefined;
  try {
    return await openEndpoint(deps, {
      port,
      host,
      tls: tls && { cert: readPem('MQTT_TLS_CERT', tls.cert), key: readPem('MQTT_TLS_KEY', tls.key), ca: tls.ca },
    });
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (codeOf(error) === 'EADDRINUSE' && !isExplicit) {
      print(`No gateway can connect: port ${port} is already in use. Set MQTT_PORT to another one.`);
      return undefined;
    }
    if (codeOf(error) === 'EADDRINUSE')
      throw new StartError(`Port ${port} is already in use: stop the program that uses it or set MQTT_PORT to another one.`);
    throw new StartError(`Cannot listen for gateways on ${host}:${port}: ${reasonOf(error)}.`);
  }
};

/** Waits for a broker that is not running yet; the console does not start it. */
export const startBroker = async (deps: Deps): Promise<Broker | undefined> => {
  const { broker } = deps.config;
  return broker && openBroker(deps, broker);
};
