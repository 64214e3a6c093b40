/** Pages that affect the connection of a gateway; a wrong change can cut it off. */
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
/** Fence policies and the arbiter select links; a VPN can take over the default route. */
const groups = ['link_change_', 'satellite_route_', 'fence_', 'arbiter_', 'vpn_'];

export const isRisky = (section: string): boolean => pages.has(section) || groups.some((prefix) => section.startsWith(prefix));
