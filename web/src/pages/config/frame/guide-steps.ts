import type { Text } from '@farlink/contract/kit/text.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';

export interface GuideStep {
  readonly title: Text;
  readonly fields: readonly string[];
}

const rest: Text = ['其他', 'Other'];

/** Steps of each wizard: related fields are grouped. */
const known: Readonly<Record<string, readonly GuideStep[]>> = {
  guide_quick_setup: [
    { title: ['设备', 'Device'], fields: ['device_name', 'language', 'timezone', 'admin_password'] },
    {
      title: ['上联', 'Uplink'],
      fields: ['wan_port', 'wan_link_type', 'wan_proto', 'wan_ipaddr', 'wan_gateway', 'pppoe_username', 'pppoe_password'],
    },
    { title: ['内网', 'LAN'], fields: ['lan_ipaddr', 'dhcp_enabled', 'dhcp_start', 'dhcp_end'] },
  ],
  guide_satellite_commission: [
    {
      title: ['调制解调器', 'Modem'],
      fields: ['link', 'sat_network', 'modem_type', 'modem_ip', 'modem_user', 'modem_password', 'opt_file'],
    },
    { title: ['天线', 'Antenna'], fields: ['acu_vendor', 'acu_ip', 'acu_protocol', 'acu_port', 'heading_source'] },
    { title: ['波束与入网', 'Beam and line-up'], fields: ['beam_select', 'beam', 'line_up_test', 'noc_contact'] },
  ],
  guide_wifi_portal: [
    { title: ['无线网络', 'Wi-Fi'], fields: ['ssid', 'band', 'security', 'passphrase'] },
    { title: ['业务网段', 'Service network'], fields: ['vlan_id', 'gateway_ip'] },
    { title: ['认证与限速', 'Login and limits'], fields: ['portal_enabled', 'portal_type', 'client_down', 'client_up'] },
  ],
  guide_platform_binding: [
    { title: ['平台', 'Platform'], fields: ['platform_host', 'platform_port', 'tls'] },
    { title: ['绑定', 'Binding'], fields: ['merchant_code', 'device_key', 'device_name', 'billing_mode', 'restore_backup'] },
  ],
};

/** The steps of a wizard; remaining fields are in the last step. */
export const stepsOf = (page: GatewayPage): readonly GuideStep[] => {
  const steps = known[page.key] ?? [];
  const named = new Set(steps.flatMap(({ fields }) => fields));
  const otherFields = Object.keys(page.fields).filter((name) => !named.has(name));
  return otherFields.length > 0 ? [...steps, { title: rest, fields: otherFields }] : steps;
};
