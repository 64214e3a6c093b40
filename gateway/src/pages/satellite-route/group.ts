import { group } from '../../kit/page.ts';
import { satelliteRouteAntenna } from './antenna.ts';
import { satelliteRouteBeam } from './beam.ts';
import { satelliteRouteBlockage } from './blockage.ts';
import { satelliteRouteControl } from './control.ts';
import { satelliteRouteLband } from './lband.ts';
import { satelliteRouteLeo } from './leo.ts';
import { satelliteRouteModem } from './modem.ts';
import { satelliteRouteOpt } from './opt.ts';
import { satelliteRouteOverview } from './overview.ts';
import { satelliteRoutePosition } from './position.ts';
import { satelliteRouteSignalLog } from './signal-log.ts';

export const satelliteRoute = group(
  'satellite_route',
  ['卫星路由', 'Satellite route'],
  satelliteRouteOverview,
  satelliteRouteModem,
  satelliteRouteAntenna,
  satelliteRouteBlockage,
  satelliteRouteOpt,
  satelliteRouteBeam,
  satelliteRouteControl,
  satelliteRouteLband,
  satelliteRouteLeo,
  satelliteRoutePosition,
  satelliteRouteSignalLog,
);
