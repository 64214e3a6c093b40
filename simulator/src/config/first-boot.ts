import { initialValues } from '@farlink/gateway/kit/document.ts';
import { typeOfNetwork } from '@farlink/gateway/kit/link-type.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { fittedContainers } from '../containers.ts';
import type { GatewayCore } from '../gateway-core.ts';
import type { LanSide } from '../lan-side.ts';
import { type LinkName, type Radio, rateOf } from '../radio.ts';
import type { SetUp } from '../sections.ts';

/** Initial setup of a gateway. It matches the links, access points and containers of the simulated hardware. */

export interface InitialSetup {
  /** Name of the ship. */
  readonly name: string;
  readonly docker: 0 | 1 | 2 | 3 | 4;
  /** The site is on land. */
  readonly isFixed: boolean;
}

/** The simulated hardware. The world is created after the configuration, so it is read on request. */
interface Hardware extends Pick<GatewayCore, 'fork'> {
  readonly world: { readonly radio: Radio; readonly lanSide: LanSide };
}

const starts = new Map<string, JsonObject>();
/** A form or row of a page with all default values. */
const start = (page: string): JsonObject => {
  const known = starts.get(page) ?? initialValues(gatewayPages.get(page)?.fields ?? {});
  starts.set(page, known);
  return known;
};
const row = (page: string, values: JsonObject): JsonObject => ({ ...start(page), ...values });

export interface Wiring {
  readonly name: string;
  readonly port: string;
}

/** Port and interface name of each link. */
export const wiring: Readonly<Record<LinkName, Wiring>> = {
  '6d': { name: 'wan_6d', port: 'eth0' },
  l_band: { name: 'wan_lband', port: 'eth4' },
  lte: { name: 'wan_lte', port: 'wwan0' },
  low_orbit: { name: 'wan_leo', port: 'eth5' },
};
const aliases: Readonly<Record<LinkName, string>> = { '6d': 'VSAT', l_band: 'L-band', lte: '4G/5G', low_orbit: 'LEO' };

const kilobits = (link: LinkName) => Math.round((rateOf(link) * 8) / 1000);

const wanRow = (link: LinkName, i: number): JsonObject =>
  row('network_wan', {
    ...wiring[link],
    alias: aliases[link],
    link_type: typeOfNetwork(link),
    metric: 10 + i,
    metered: link === 'l_band',
    down_bandwidth: kilobits(link),
    up_bandwidth: Math.round(kilobits(link) / 4),
  });

const alike = new Map<string, JsonObject>();
/** Ships with the same values share one object, so its hash is computed once. */
const shared = (key: string, make: () => JsonObject): JsonObject => {
  const known = alike.get(key) ?? make();
  alike.set(key, known);
  return known;
};
const when = (there: boolean, key: string, make: () => JsonObject) => (there ? shared(key, make) : undefined);

type InitialDocument = (gateway: Hardware, setup: InitialSetup) => JsonObject | undefined;
const hasLink = (gateway: Hardware, link: LinkName) => gateway.world.radio.has(link);
const imagesOf = (gateway: Hardware, { docker }: InitialSetup) =>
  docker === 1 || docker === 2 ? fittedContainers(gateway.fork('containers')) : [];

const docs: Readonly<Record<string, InitialDocument>> = {
  network_wan: ({ world: { radio } }) => shared(`wan ${radio.fitted}`, () => ({ rows: radio.fitted.map(wanRow) })),
  network_lan: () => {
    const ports = ['eth1', 'eth2', 'eth3'].map((port) => ({ port }));
    return shared('lan', () => ({ rows: [row('network_lan', { name: 'lan', alias: 'Ship', ports })] }));
  },
  advanced_device_info: (_gateway, { name, isFixed }) => ({
    ...start('advanced_device_info'),
    device_name: name,
    ...(isFixed ? { site_type: 'fixed' } : { vessel_name: name }),
  }),
  link_change_mode: ({ world: { radio } }) => {
    const first = radio.fitted.includes('6d') ? '6d' : radio.fitted[0];
    return first && shared(`mode ${first}`, () => row('link_change_mode', { primary_link: wiring[first].name }));
  },
  satellite_route_modem: (gateway) =>
    when(hasLink(gateway, '6d'), 'modem', () => ({ rows: [row('satellite_route_modem', { name: 'modem1', link: wiring['6d'].name })] })),
  satellite_route_antenna: (gateway) =>
    when(hasLink(gateway, '6d'), 'antenna', () => ({ rows: [row('satellite_route_antenna', { antenna: 'a' })] })),
  satellite_route_lband: (gateway) =>
    when(hasLink(gateway, 'l_band'), 'lband', () => row('satellite_route_lband', { link: wiring.l_band.name })),
  satellite_route_leo: (gateway) =>
    when(hasLink(gateway, 'low_orbit'), 'leo', () => row('satellite_route_leo', { enabled: true, link: wiring.low_orbit.name })),
  ac_setting: () => shared('ac', () => row('ac_setting', { interface: 'lan' })),
  ac_radio: () => shared('radio', () => ({ rows: ['2g', '5g'].map((band) => row('ac_radio', { name: `radio_${band}`, band })) })),
  ac_ap_group: () =>
    shared('group', () => ({ rows: [row('ac_ap_group', { name: 'default', radio_2g: 'radio_2g', radio_5g: 'radio_5g' })] })),
  ac_ap_list: ({ world }) => ({ rows: world.lanSide.aps.map(({ name, mac }) => row('ac_ap_list', { mac, name, group: 'default' })) }),
  docker_image: (gateway, setup) => {
    const images = imagesOf(gateway, setup);
    return when(images.length > 0, `images ${images.length}`, () => ({
      rows: images.map(([name, image]) => {
        const [repository = '', tag = ''] = image.split(':');
        return row('docker_image', { name, source: 'platform', repository, tag });
      }),
    }));
  },
  docker_container: (gateway, setup) => {
    const images = imagesOf(gateway, setup);
    return when(images.length > 0, `containers ${images.length}`, () => ({
      rows: images.map(([name]) => row('docker_container', { name, image: name })),
    }));
  },
};

/** Initial documents by section, created on request. */
export class FirstBoot implements SetUp {
  readonly #gateway: Hardware;
  readonly #setup: InitialSetup;

  constructor(gateway: Hardware, setup: InitialSetup) {
    this.#gateway = gateway;
    this.#setup = setup;
  }

  get names(): readonly string[] {
    return Object.keys(docs).filter((section) => this.doc(section) !== undefined);
  }

  doc(section: string): JsonObject | undefined {
    return Object.hasOwn(docs, section) ? docs[section]?.(this.#gateway, this.#setup) : undefined;
  }
}
