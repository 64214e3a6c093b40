import { keptSecret } from '@farlink/contract/config/config.ts';
import { networkCellular } from '@farlink/gateway/pages/network/cellular.ts';
import { networkDns } from '@farlink/gateway/pages/network/dns.ts';
import { networkWan } from '@farlink/gateway/pages/network/wan.ts';
import { vpnWireguard } from '@farlink/gateway/pages/vpn/wireguard.ts';
import { expect, test, vi } from 'vitest';
import { fillShownDefaults } from './fill-shown-defaults.ts';

vi.stubGlobal('localStorage', { getItem: () => 'en' });
const { validateDocument, secretPaths } = await import('./validate-document.ts');

const never = () => false;

test('errors have the path of their field, also in nested lines', () => {
  const { errors } = validateDocument(
    networkDns.fields,
    { mode: 'cache', upstreams: [{ server: '1.1.1.1' }, { server: 'x' }], cache_size: 1 },
    never,
  );
  expect(Object.keys(errors).sort()).toEqual(['cache_size', 'upstreams[1].server']);
});

test('a kept secret is valid if one is stored, regardless of the rule of its field', () => {
  const raw = { pin: keptSecret, password: keptSecret };
  expect(validateDocument(networkCellular.fields, raw, (path) => path === 'pin').errors).toEqual({ password: 'Please enter it again' });
  expect(validateDocument(networkCellular.fields, raw, () => true)).toMatchObject({ doc: raw, errors: {} });
});

test('the path of a secret has the key of its row and its index in nested lines', () => {
  const wan = { rows: [{ name: 'wan1', pppoe_password: keptSecret }, { name: 'wan2' }] };
  expect([...secretPaths(networkWan, wan, null)]).toEqual(['rows[wan1].pppoe_password']);
  const guard = { rows: [{ name: 'wg0', peers: [{ peer_name: 'a' }, { peer_name: 'b', preshared_key: keptSecret }] }] };
  expect([...secretPaths(vpnWireguard, guard)]).toEqual(['rows[wg0].peers[1].preshared_key']);
});

test('fields that a change makes visible start with their defaults', () => {
  const { fields } = networkWan;
  const before = { vlan_enabled: false, mtu: 1500 };
  expect(fillShownDefaults(fields, before, { ...before, vlan_enabled: true })).toMatchObject({ vlan_enabled: true, vlan_priority: 0 });
  const typed = { vlan_enabled: true, vlan_priority: 5 };
  expect(fillShownDefaults(fields, before, typed)).toBe(typed);
});
