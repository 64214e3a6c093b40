import { int, obj, parse, str } from '@farlink/gateway/protocol/shape.ts';
import type { Sections } from '../sections.ts';

const port = int(0, 65_535);
const shape = obj({ id: str(64), secret: str(128) }, { host: str(255), port, auth: port, acct: port, coa: port, interval: int(1, 86_400) });

/** How a gateway reaches RADIUS. */
export interface RadiusAccess {
  readonly host: string;
  /** NAS-Identifier and PSK identity. */
  readonly id: string;
  readonly secret: string;
  /** Seconds between two interim updates, if an Accept does not have them. */
  readonly interval: number;
  /** Port of RadSec. Undefined: UDP. */
  readonly radsec: number | undefined;
  readonly auth: number;
  readonly acct: number;
  /** UDP port for requests of the console. */
  readonly coa: number | undefined;
}

/** Access of the section `radius`. Without a host it is that of the console. */
export const radiusAccess = (sections: Sections, console: string): RadiusAccess | undefined => {
  const section = sections.get('radius');
  const parsed = section && parse(shape, section.doc);
  if (!parsed || 'reason' in parsed) return undefined;
  const { host = console, id, secret, interval = 300, port: radsec, auth = 1812, acct = 1813, coa } = parsed.value;
  return { host, id, secret, interval, radsec: radsec || undefined, auth, acct, coa: coa || undefined };
};
