/** Pages by which a gateway is reached: who changes them may lose it. */
const pages = new Set([
  'network_wan',
  'network_lan',
  'network_vlan',
  'network_cellular',
  'network_dns',
  'network_static_route',
  'network_policy_route',
  'advanced_cloud_platform',
  'advanced_remote_manage',
  'defense_firewall_rule',
  'defense_blacklist',
  'defense_arp_bind',
  'defense_dmz',
]);
/** Fence policies and the arbiter choose or drop links; a VPN may take over the default route. */
const groups = ['link_change_', 'satellite_route_', 'fence_', 'arbiter_', 'vpn_'];

export const isRisky = (section: string): boolean => pages.has(section) || groups.some((prefix) => section.startsWith(prefix));

/** Seconds within which a gateway must be reached again after such a change, where nobody says otherwise. */
export const defaultRollbackSeconds = 180;
