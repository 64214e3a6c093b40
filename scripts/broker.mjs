import { aptInstall, findProgram, mayApt, runs } from './debian.mjs';
import { printLine, StepError } from './run.mjs';

const paths = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'];

/** Finds Mosquitto: MOSQUITTO, or the usual paths. */
const findBroker = () => {
  if (process.env.MOSQUITTO) return runs(process.env.MOSQUITTO) ? process.env.MOSQUITTO : undefined;
  return findProgram(paths, ['mosquitto']);
};

/** Finds the broker for the tests, or installs it if allowed. */
export const ensureBroker = async () => {
  const found = findBroker();
  if (found) return found;
  if (process.env.MOSQUITTO) throw new StepError(`MOSQUITTO names ${process.env.MOSQUITTO}, which cannot be run.`);
  if (mayApt()) {
    printLine('Installing Mosquitto…');
    await aptInstall(['mosquitto']);
    const installed = findBroker();
    if (installed) return installed;
  }
  throw new StepError(
    'The tests need the MQTT broker Mosquitto: install it (Debian: apt-get install mosquitto) or set MOSQUITTO to its path.',
  );
};
