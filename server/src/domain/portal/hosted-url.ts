import type { Config } from '../../env/config.ts';
import { consoleAddress } from '../../orders/file-exchange.ts';

/** Address of the portal that the console serves for a VNO, as gateways use it. */
export const hostedPortalUrl = (config: Pick<Config, 'publicUrl' | 'port'>, code: string): string =>
  `${consoleAddress(config)}/portal/${encodeURIComponent(code)}/`;
