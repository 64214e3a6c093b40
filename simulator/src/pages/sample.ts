import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { Gateway } from '../gateway.ts';
import type { GatewayOptions } from '../gateway-options.ts';

/** Wed, 5 Aug 2026. */
export const noon = 1_785_931_200;

/** Configuration that gives every page some rows. */
export const sampleDocs = (gateway: Gateway): Readonly<Record<string, JsonObject>> => {
  const [ap] = gateway.view().aps;
  const wan = (name: string, link_type: string, port: string) => ({ name, link_type, port, proto: 'dhcp', enabled: true, metric: 10 });
  return {
    network_wan: { rows: [wan('wan_6d', '6d', 'eth0'), wan('wan_leo', 'leo', 'eth5'), wan('wan_lband', 'lband', 'eth4')] },
    network_lan: { rows: [{ name: 'lan', ipaddr: '192.168.10.1/24', ports: [{ port: 'eth1' }, { port: 'eth2' }] }] },
    network_vlan: { rows: [{ name: 'guest', vlan_id: 20, parent: 'lan', ipaddr: '192.168.20.1/24' }] },
    network_static_route: { rows: [{ name: 'office', destination: '10.9.0.0/16', gateway: '192.168.10.9', interface: 'lan', metric: 10 }] },
    link_change_quota: { rows: [{ link: 'wan_6d', quota_mb: 50_000 }] },
    arbiter_flow_class: {
      rows: [
        { name: 'voice', order: 1 },
        { name: 'web', order: 2 },
      ],
    },
    arbiter_policy: {
      rows: [
        {
          flow_class: 'voice',
          algorithm: 'latency',
          links: [
            { link: 'wan_leo', order: 1 },
            { link: 'wan_6d', order: 2 },
          ],
        },
      ],
    },
    qos_class: { rows: [{ name: 'crew', down_guarantee: 30, up_guarantee: 30, borrow: true }] },
    fence_policy: { rows: [{ name: 'mute' }] },
    fence_area: {
      rows: [
        {
          name: 'home',
          category: 'port',
          on_enter: 'mute',
          on_leave: 'mute',
          polygon: [
            [114, 19],
            [116, 19],
            [116, 21],
            [114, 21],
          ],
        },
      ],
    },
    vpn_ipsec: { rows: [{ name: 'office', remote: 'vpn.office.example', link: 'wan_leo', local_id: 'ship' }] },
    defense_firewall_rule: { rows: [{ name: 'no-smb', order: 1 }] },
    behavior_keyword: { rows: [{ name: 'cargo' }] },
    satellite_route_modem: { rows: [{ name: 'evolution', sat_network: 'global', link: 'wan_6d' }] },
    satellite_route_antenna: { rows: [{ antenna: 'a' }] },
    satellite_route_beam: {
      rows: [{ beam_id: 601, name: 'South China Sea', sat_network: 'global', satellite: 'APSTAR-6D', orbital_longitude: '134.0' }],
    },
    ac_ssid: { rows: [{ name: 'crew', ssid: 'Crew' }] },
    ac_ap_group: { rows: [{ name: 'deck', radio_2g: 'a', radio_5g: 'b' }] },
    ac_ap_list: { rows: [{ mac: ap?.mac ?? '', name: ap?.name ?? '', group: 'deck' }] },
  };
};

/** An unconnected gateway on land with stable links. */
export const sampleGateway = (options: Partial<GatewayOptions> = {}): Gateway => {
  const gateway = new Gateway({
    sn: 'PAGE1',
    host: '127.0.0.1',
    port: 9,
    seed: 1,
    key: 'k',
    calm: true,
    opt: 1,
    bill: 1,
    docker: 1,
    at: { lat: 20, lon: 115 },
    links: ['6d', 'low_orbit', 'l_band'],
    accounts: ['crew01', 'crew02', 'crew03'],
    realMs: () => noon * 1000,
    ...options,
  });
  gateway.step(noon);
  for (const [section, doc] of Object.entries(sampleDocs(gateway))) gateway.changeLocally(section, doc);
  for (const account of ['crew01', 'crew02']) gateway.users.signIn(account);
  gateway.event('login', { acc: 'master', ok: true, ip: '192.168.10.20' });
  gateway.step(noon + 60);
  return gateway;
};
