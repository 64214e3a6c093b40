import { join } from 'node:path';
import { aptUnpack, findProgram, mayUnpack, runs, unpacked } from './debian.mjs';
import { printLine, StepError } from './run.mjs';

const paths = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'];

/** Finds Mosquitto: MOSQUITTO, or the usual paths. */
const findBroker = () => {
  if (process.env.MOSQUITTO) return runs(process.env.MOSQUITTO) ? process.env.MOSQUITTO : undefined;
  return findProgram([...paths, ...paths.map((path) => join(unpacked, path))], ['mosquitto']);
};

/** Finds the broker for the tests, or unpacks it where it can. */
export const ensureBroker = async () => {
  const found = findBroker();
  if (found) return found;
  if (process.env.MOSQUITTO) throw new StepError(`MOSQUITTO names ${process.env.MOSQUITTO}, which cannot be run.`);
  if (mayUnpack()) {
    printLine('Unpacking Mosquitto…');
    await aptUnpack([{ packages: ['mosquitto'], paths }]);
    const broker = findBroker();
    if (broker) return broker;
  }
  throw new StepError(
    'The tests need the MQTT broker Mosquitto: install it (Debian: apt-get install mosquitto) or set MOSQUITTO to its path.',
  );
};
