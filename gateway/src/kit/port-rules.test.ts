import { expect, test } from 'vitest';
import type { JsonObject } from '../protocol/shape.ts';
import { broken, rows } from './test/docs.ts';

const cases: readonly (readonly [rule: string, page: string, good: JsonObject, bad: JsonObject, path: string])[] = [
  [
    'a listening port is unique',
    'vpn_wireguard',
    rows({ listen_port: 51820 }, { listen_port: 51821 }),
    rows({ listen_port: 51820 }, { listen_port: 51820 }),
    'rows[1].listen_port',
  ],
  [
    'TCP and UDP may use the same port number',
    'vpn_openvpn',
    rows(
      { role: 'server', transport: 'tcp', port: 1194 },
      { role: 'server', transport: 'udp', port: 1194 },
      { role: 'client', transport: 'udp', port: 1194 },
    ),
    rows({ role: 'server', transport: 'udp', port: 1194 }, { role: 'server', transport: 'udp', port: 1194 }),
    'rows[1].port',
  ],
  [
    'the HTTPS port of the gateway is reserved',
    'vpn_openvpn',
    rows({ role: 'server', transport: 'udp', port: 443 }),
    rows({ role: 'server', transport: 'tcp', port: 443 }),
    'rows[0].port',
  ],
  [
    'a container cannot use a port of the gateway',
    'docker_container',
    rows({ ports: [{ host_port: 8443 }] }),
    rows({ ports: [{ host_port: 8443 }, { host_port: 443 }] }),
    'rows[0].ports[1].host_port',
  ],
  [
    'several RADIUS servers may share a CoA port that is free',
    'auth_radius',
    rows({ coa_port: 3799 }, { coa_port: 3799 }),
    rows({ coa_port: 3799 }, { coa_port: 5246 }),
    'rows[1].coa_port',
  ],
  [
    'an external port is mapped only once',
    'defense_port_mapping',
    rows(
      { protocol: 'tcp', ext_port: '80', link: 'a' },
      { protocol: 'udp', ext_port: '80', link: 'a' },
      { protocol: 'tcp', ext_port: '80', link: 'b' },
    ),
    rows({ protocol: 'tcp', ext_port: '8000-8100', link: 'a' }, { protocol: 'tcp_udp', ext_port: '8100' }),
    'rows[1].ext_port',
  ],
  [
    'external and internal ports are equally many',
    'defense_port_mapping',
    rows({ ext_port: '8000-8100', int_port: '9000-9100' }, { ext_port: '80', int_port: '8080' }),
    rows({ ext_port: '8000-8100', int_port: '9000-9001' }),
    'rows[0].int_port',
  ],
];

test.each(cases)('%s (%s)', (_rule, page, good, bad, path) => {
  expect(broken({ [page]: good })).toEqual([]);
  expect(broken({ [page]: bad })).toEqual([`${page} ${path}`]);
});

test('a port of the remote management is not mapped if the gateway can be managed from a WAN', () => {
  const managed = (wan_access: boolean) => ({ advanced_remote_manage: { https_port: 443, wan_access, ssh: true, ssh_port: 2222 } });
  const mapping = (ext_port: string, protocol = 'tcp') => ({ defense_port_mapping: rows({ name: 'web', ext_port, protocol }) });
  for (const ports of ['443', '400-500', '2222'])
    expect(broken(mapping(ports), managed(true))).toEqual(['defense_port_mapping rows[0].ext_port']);
  expect(broken(mapping('443', 'tcp_udp'), managed(true))).toEqual(['defense_port_mapping rows[0].ext_port']);
  expect(broken(mapping('443', 'udp'), managed(true))).toEqual([]);
  expect(broken(mapping('443'), managed(false))).toEqual([]);
  expect(broken(managed(true), mapping('443'))).toEqual(['advanced_remote_manage https_port']);
});

test('a port of another page is refused, whichever of the two changes', () => {
  const telnet = { telnet_setting: { enabled: true, port: 2323 } };
  const ssh = { advanced_remote_manage: { https_port: 443, ssh: true, ssh_port: 2323 } };
  expect(broken(ssh, telnet)).toEqual(['advanced_remote_manage ssh_port']);
  expect(broken(telnet, ssh)).toEqual(['telnet_setting port']);
  expect(broken({ telnet_setting: { enabled: false, port: 2323 } }, ssh)).toEqual([]);
});
