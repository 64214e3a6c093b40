import { reasonOf, StartError } from '../env/start-error.ts';
import type { Deps } from '../kit/deps.ts';
import { openRemote, PortFault, type Remote } from './remote.ts';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Opens remote access. If a default port is in use, the console starts without remote access and reports it. An explicit port must be free.
 */
export const startRemote = async (deps: Deps, print: (line: string) => void): Promise<Remote | undefined> => {
  const { sshPort, isSshExplicit, webPort, isWebExplicit } = deps.config.remote;
  try {
    return await openRemote(deps);
  } catch (error) {
    if (!(error instanceof PortFault)) throw error;
    const [name, port, isExplicit] =
      error.which === 'ssh' ? ['REMOTE_SSH_PORT', sshPort, isSshExplicit] : ['REMOTE_WEB_PORT', webPort, isWebExplicit];
    if (codeOf(error.cause) === 'EADDRINUSE' && !isExplicit) {
      print(`Remote access is off: port ${port} is already in use. Set ${name} to another one.`);
      return undefined;
    }
    if (codeOf(error.cause) === 'EADDRINUSE')
      throw new StartError(`Port ${port} is already in use: stop the program that uses it or set ${name} to another one.`);
    throw new StartError(`Remote access cannot be opened on port ${port}: ${reasonOf(error.cause)}.`);
  }
};
