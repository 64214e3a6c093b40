import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { singleText } from '@farlink/contract/kit/values.ts';
import type { Json, JsonObject } from '../protocol/shape.ts';
import { type DocPosition, duplicateProblems, eachPosition, isEnabled, linesOf, positionsOf } from './page-rules.ts';
import type { DocOf, PageRule, Problem, RuleProblem } from './problem.ts';

/** A port of the gateway can be used by one service only. */

interface Service {
  readonly section: string;
  readonly kind: 'form' | 'list';
  readonly title: Text;
  /** Ports of an enabled form or row: field, transport and port. */
  readonly listens: (position: DocPosition) => readonly (readonly [field: string, transport: string, port: Json | undefined])[];
  /** Several rows can share a port. */
  readonly shared?: true;
}

const service = (section: string, kind: Service['kind'], title: Text, listens: Service['listens'], more: Pick<Service, 'shared'> = {}) => ({
  section,
  kind,
  title,
  listens,
  ...more,
});

const remoteManagement = service('advanced_remote_manage', 'form', ['远程管理', 'Remote management'], ({ values }) => [
  ['https_port', 'tcp', values.https_port],
  ['ssh_port', 'tcp', values.ssh_port],
  ['http_redirect', 'tcp', values.http_redirect === true ? 80 : undefined],
]);

const services: readonly Service[] = [
  service('network_dns', 'form', ['DNS', 'DNS'], ({ values }) => (values.mode === 'off' ? [] : [['mode', 'udp', 53]])),
  remoteManagement,
  service('advanced_time', 'form', ['NTP', 'NTP'], ({ values }) => [['serve_ntp', 'udp', values.serve_ntp === true ? 123 : undefined]]),
  service('advanced_snmp', 'form', ['SNMP', 'SNMP'], ({ values }) => [['port', 'udp', values.port]]),
  service('telnet_setting', 'form', ['Telnet', 'Telnet'], ({ values }) => [['port', 'tcp', values.port]]),
  service('ac_setting', 'form', ['无线控制器', 'Wireless controller'], ({ values }) => [
    ['control_port', 'udp', values.control_port],
    ['data_port', 'udp', values.data_port],
  ]),
  service('satellite_route_position', 'form', ['NMEA', 'NMEA'], ({ values }) => [['udp_port', 'udp', values.udp_port]]),
  service('auth_radius', 'list', ['RADIUS CoA', 'RADIUS CoA'], ({ values }) => [['coa_port', 'udp', values.coa_port]], { shared: true }),
  service('vpn_wireguard', 'list', ['WireGuard', 'WireGuard'], ({ values }) => [['listen_port', 'udp', values.listen_port]]),
  service('vpn_openvpn', 'list', ['OpenVPN', 'OpenVPN'], ({ values }) =>
    values.role === 'server' ? [['port', singleText(values.transport) ?? '', values.port]] : [],
  ),
  service('docker_container', 'list', ['容器', 'Containers'], (position) =>
    linesOf(position, 'ports').map(({ values }, i) => [`ports[${i}].host_port`, singleText(values.protocol) ?? 'tcp', values.host_port]),
  ),
];

const listenersOf = ({ section, kind, listens }: Service, docOf: DocOf) =>
  positionsOf({ kind }, docOf(section))
    .filter(isEnabled)
    .flatMap((position) =>
      listens(position).flatMap(([field, transport, port]) =>
        typeof port === 'number' ? [{ ...position, path: `${position.at}${field}`, transport, port }] : [],
      ),
    );

const portInUse: Text = ['端口{0}已被{1}占用', 'Port {0} is used by {1}'];

/** The ports of this page must not be used by another service. */
export const portsFree: PageRule = {
  test: (_doc, docOf, { key }) => {
    const current = services.find(({ section }) => section === key);
    if (!current) return [];
    const ownListeners = listenersOf(current, docOf);
    const others = services.filter((one) => one !== current).map((one) => ({ title: one.title, on: listenersOf(one, docOf) }));
    const foreign = ownListeners.flatMap(({ path, transport, port }): Problem[] => {
      const other = others.find(({ on }) => on.some((l) => l.port === port && l.transport === transport));
      return other ? [{ path, text: fill(portInUse, port, other.title) }] : [];
    });
    const own = current.shared ? [] : duplicateProblems(ownListeners.map((l) => ({ ...l, key: `${l.transport} ${l.port}` })));
    return [...foreign, ...own];
  },
};

const spanOf = (ports: unknown) => {
  const [from = Number.NaN, to = from] = singleText(ports)?.split('-').map(Number) ?? [];
  return { from, to };
};
const mapped: Text = ['与第{0}行的外部端口重叠', 'Overlaps the external ports of line {0}'];

/** An external port must have one target per link; a row without a link applies to all links. */
export const mappingsApart: PageRule = {
  test: (doc, _docOf, page) => {
    const on = positionsOf(page, doc).filter(isEnabled);
    const conflicts = (a: JsonObject, b: JsonObject) => {
      const x = spanOf(a.ext_port);
      const y = spanOf(b.ext_port);
      const sameLink = a.link === undefined || b.link === undefined || a.link === b.link;
      const sameProtocol = a.protocol === 'tcp_udp' || b.protocol === 'tcp_udp' || a.protocol === b.protocol;
      return sameLink && sameProtocol && x.from <= y.to && y.from <= x.to;
    };
    return on.flatMap(({ values, at }, i): Problem[] => {
      const earlier = on.slice(0, i).find((one) => conflicts(one.values, values));
      return earlier ? [{ path: `${at}ext_port`, text: fill(mapped, earlier.index + 1) }] : [];
    });
  },
};

const mappedTo: Text = ['端口{0}已用于端口映射“{1}”', 'Port {0} is used by port mapping "{1}"'];

/** If the gateway can be managed from a WAN, its ports there are not mapped to another host. */
export const outsideManagement: PageRule = {
  reads: [remoteManagement.section],
  test: (doc, docOf, page) => {
    const { section, title } = remoteManagement;
    const listeners = docOf(section).wan_access === true ? listenersOf(remoteManagement, docOf) : [];
    return positionsOf(page, doc)
      .filter(isEnabled)
      .flatMap(({ values, at }): RuleProblem[] => {
        const { from, to } = spanOf(values.ext_port);
        const used = listeners.find(({ port }) => values.protocol !== 'udp' && port >= from && port <= to);
        if (!used) return [];
        const against = { section, path: used.path, text: fill(mappedTo, used.port, singleText(values.name) ?? '') };
        return [{ path: `${at}ext_port`, text: fill(portInUse, used.port, title), against }];
      });
  },
};

const otherSize: Text = ['端口数量应与“{0}”相同', 'Must have as many ports as "{0}"'];

/** Both fields must have the same number of ports. */
export const sameSize = (field: string, other: string): PageRule =>
  eachPosition(({ values, at }, fields) => {
    const a = spanOf(values[field]);
    const b = spanOf(values[other]);
    const isSame = values[field] === undefined || values[other] === undefined || a.to - a.from === b.to - b.from;
    return isSame ? [] : [{ path: `${at}${field}`, text: fill(otherSize, fields[other]?.label ?? [other, other]) }];
  });
