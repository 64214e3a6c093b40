import { reasonOf } from '../env/start-error.ts';
import type { Deps } from '../kit/deps.ts';
import type { GaugeSource } from '../kit/http/metrics.ts';
import { openRadius, type Radius } from './radius.ts';

/** Opens the configured ports. A port that cannot be opened is reported and does not stop the console. */
export const startRadius = async (deps: Deps, print: (line: string) => void): Promise<Radius> => {
  const { host, authPort, acctPort, radsecPort, radsecTls } = deps.config.radius;
  return openRadius(deps, {
    host,
    authPort: authPort || undefined,
    acctPort: acctPort || undefined,
    radsec: radsecPort === 0 ? undefined : { host, port: radsecPort, tls: radsecTls },
    onClosed: (port, error) => {
      deps.log.error({ port, reason: reasonOf(error) }, 'RADIUS port not opened');
      print(`RADIUS is not available on port ${port}: ${reasonOf(error)}.`);
    },
  });
};

export const radiusGauges = (radius: Radius | undefined): GaugeSource[] =>
  radius
    ? [
        { name: 'radius_results', help: 'Results of RADIUS requests', label: 'result', read: () => radius.pipeline.results },
        { name: 'radius_refused', help: 'RADIUS packets without a known client', label: 'cause', read: () => radius.refused },
        { name: 'radius_waiting', help: 'RADIUS requests that wait', label: 'kind', read: () => radius.pipeline.waiting() },
        { name: 'radsec_connections', help: 'RadSec connections', label: 'state', read: () => ({ open: radius.connections() }) },
      ]
    : [];
