import type { Text } from '@farlink/contract/kit/text.ts';

export interface GatewayEntry {
  readonly key: string;
  readonly title: Text;
}
export interface GatewayGroup extends GatewayEntry {
  readonly pages: readonly GatewayEntry[];
}

/** The configuration menu of a gateway: what a role may open there, group by group. */
export const gatewayMenu: readonly GatewayGroup[] = [
  {
    key: 'guide',
    title: ['配置向导', 'Setup guide'],
    pages: [
      { key: 'guide_quick_setup', title: ['快速配置', 'Quick setup'] },
      { key: 'guide_satellite_commission', title: ['卫星入网', 'Satellite commissioning'] },
      { key: 'guide_wifi_portal', title: ['无线与认证', 'Wi-Fi and portal'] },
      { key: 'guide_platform_binding', title: ['平台绑定', 'Platform binding'] },
    ],
  },
  {
    key: 'status',
    title: ['状态监控', 'Status'],
    pages: [
      { key: 'status_overview', title: ['设备概览', 'Overview'] },
      { key: 'status_interface', title: ['接口状态', 'Interfaces'] },
      { key: 'status_link', title: ['链路状态', 'Links'] },
      { key: 'status_terminal', title: ['终端列表', 'Terminals'] },
      { key: 'status_online_user', title: ['在线用户', 'Online users'] },
      { key: 'status_app_traffic', title: ['应用流量', 'Application traffic'] },
      { key: 'status_session', title: ['会话列表', 'Sessions'] },
      { key: 'status_route_table', title: ['路由表', 'Routing table'] },
      { key: 'status_system_log', title: ['系统日志', 'System log'] },
    ],
  },
  {
    key: 'network',
    title: ['网络设置', 'Network'],
    pages: [
      { key: 'network_wan', title: ['WAN设置', 'WAN'] },
      { key: 'network_lan', title: ['LAN设置', 'LAN'] },
      { key: 'network_vlan', title: ['VLAN设置', 'VLAN'] },
      { key: 'network_cellular', title: ['4G/5G设置', 'Cellular'] },
      { key: 'network_dhcp_server', title: ['DHCP服务', 'DHCP server'] },
      { key: 'network_dhcp_static', title: ['静态绑定', 'Static leases'] },
      { key: 'network_dhcp_lease', title: ['DHCP租约', 'DHCP leases'] },
      { key: 'network_dns', title: ['DNS设置', 'DNS'] },
      { key: 'network_static_route', title: ['静态路由', 'Static routes'] },
      { key: 'network_policy_route', title: ['策略路由', 'Policy routes'] },
      { key: 'network_ip_group', title: ['IP地址组', 'Address groups'] },
      { key: 'network_time_group', title: ['时间组', 'Time groups'] },
    ],
  },
  {
    key: 'satellite_route',
    title: ['卫星路由', 'Satellite route'],
    pages: [
      { key: 'satellite_route_overview', title: ['卫星概览', 'Satellite overview'] },
      { key: 'satellite_route_modem', title: ['调制解调器', 'Modem'] },
      { key: 'satellite_route_antenna', title: ['天线与ACU', 'Antenna and ACU'] },
      { key: 'satellite_route_blockage', title: ['遮挡区', 'Blockage zones'] },
      { key: 'satellite_route_opt', title: ['OPT文件', 'OPT files'] },
      { key: 'satellite_route_beam', title: ['波束管理', 'Beams'] },
      { key: 'satellite_route_control', title: ['卫星设备操作', 'Satellite device control'] },
      { key: 'satellite_route_lband', title: ['L波段备份', 'L-band backup'] },
      { key: 'satellite_route_leo', title: ['低轨终端', 'LEO terminal'] },
      { key: 'satellite_route_position', title: ['定位与航向', 'Position and heading'] },
      { key: 'satellite_route_signal_log', title: ['信号日志', 'Signal log'] },
    ],
  },
  {
    key: 'fence',
    title: ['电子围栏', 'Fence'],
    pages: [
      { key: 'fence_area', title: ['围栏区域', 'Fence areas'] },
      { key: 'fence_policy', title: ['围栏动作策略', 'Fence policies'] },
      { key: 'fence_setting', title: ['围栏参数', 'Fence settings'] },
      { key: 'fence_status', title: ['围栏状态', 'Fence status'] },
      { key: 'fence_log', title: ['围栏日志', 'Fence log'] },
    ],
  },
  {
    key: 'link_change',
    title: ['链路切换', 'Link change'],
    pages: [
      { key: 'link_change_mode', title: ['切换模式', 'Change mode'] },
      { key: 'link_change_priority', title: ['链路优先级', 'Link priority'] },
      { key: 'link_change_threshold', title: ['切换阈值', 'Thresholds'] },
      { key: 'link_change_quota', title: ['链路配额', 'Link quotas'] },
      { key: 'link_change_lock', title: ['链路锁定', 'Link lock'] },
      { key: 'link_change_manual', title: ['手动切换', 'Manual switch'] },
      { key: 'link_change_log', title: ['切换日志', 'Switch log'] },
    ],
  },
  {
    key: 'arbiter',
    title: ['链路仲裁', 'Arbiter'],
    pages: [
      { key: 'arbiter_setting', title: ['仲裁参数', 'Arbiter settings'] },
      { key: 'arbiter_flow_class', title: ['业务流定义', 'Flow classes'] },
      { key: 'arbiter_policy', title: ['仲裁策略', 'Arbiter policies'] },
      { key: 'arbiter_probe', title: ['健康探测', 'Health probes'] },
      { key: 'arbiter_dual_antenna', title: ['双天线仲裁', 'Dual-antenna arbitration'] },
      { key: 'arbiter_status', title: ['仲裁结果', 'Current decisions'] },
      { key: 'arbiter_decision_log', title: ['决策日志', 'Decision log'] },
    ],
  },
  {
    key: 'qos',
    title: ['流量控制', 'QoS'],
    pages: [
      { key: 'qos_global', title: ['流控设置', 'QoS settings'] },
      { key: 'qos_class', title: ['带宽通道', 'Bandwidth classes'] },
      { key: 'qos_rule', title: ['通道匹配规则', 'Classification rules'] },
      { key: 'qos_user_limit', title: ['用户限速', 'User limits'] },
      { key: 'qos_app_limit', title: ['应用限速', 'Application limits'] },
      { key: 'qos_status', title: ['流控状态', 'QoS status'] },
    ],
  },
  {
    key: 'vpn',
    title: ['VPN', 'VPN'],
    pages: [
      { key: 'vpn_ipsec', title: ['IPsec', 'IPsec'] },
      { key: 'vpn_l2tp', title: ['L2TP', 'L2TP'] },
      { key: 'vpn_openvpn', title: ['OpenVPN', 'OpenVPN'] },
      { key: 'vpn_wireguard', title: ['WireGuard', 'WireGuard'] },
      { key: 'vpn_gre', title: ['GRE', 'GRE'] },
      { key: 'vpn_user', title: ['VPN账号', 'VPN users'] },
      { key: 'vpn_certificate', title: ['证书管理', 'Certificates'] },
      { key: 'vpn_status', title: ['VPN状态', 'VPN status'] },
    ],
  },
  {
    key: 'behavior',
    title: ['行为管理', 'Behavior'],
    pages: [
      { key: 'behavior_app_control', title: ['应用控制', 'Application control'] },
      { key: 'behavior_url_filter', title: ['网址过滤', 'URL filter'] },
      { key: 'behavior_url_library', title: ['网址库', 'Site libraries'] },
      { key: 'behavior_keyword', title: ['关键字过滤', 'Keyword filter'] },
      { key: 'behavior_im_control', title: ['IM账号控制', 'IM account control'] },
      { key: 'behavior_share_control', title: ['共享上网管控', 'Sharing control'] },
      { key: 'behavior_audit_setting', title: ['审计设置', 'Audit settings'] },
      { key: 'behavior_url_log', title: ['网站访问记录', 'Site visits'] },
      { key: 'behavior_identity_log', title: ['虚拟身份记录', 'Virtual identities'] },
      { key: 'behavior_content_log', title: ['发帖与邮件记录', 'Posts and email'] },
    ],
  },
  {
    key: 'ac',
    title: ['无线管理（AC）', 'Wireless (AC)'],
    pages: [
      { key: 'ac_setting', title: ['AC设置', 'Controller settings'] },
      { key: 'ac_ap_list', title: ['AP列表', 'Access points'] },
      { key: 'ac_ap_group', title: ['AP分组', 'AP groups'] },
      { key: 'ac_ssid', title: ['无线网络', 'SSIDs'] },
      { key: 'ac_radio', title: ['射频模板', 'Radio profiles'] },
      { key: 'ac_roaming', title: ['漫游设置', 'Roaming'] },
      { key: 'ac_station', title: ['无线终端', 'Wireless clients'] },
      { key: 'ac_acl', title: ['无线黑白名单', 'Wireless access list'] },
      { key: 'ac_ap_upgrade', title: ['AP升级', 'AP upgrade'] },
    ],
  },
  {
    key: 'auth',
    title: ['认证管理', 'Authentication'],
    pages: [
      { key: 'auth_portal', title: ['Portal认证', 'Portal'] },
      { key: 'auth_policy', title: ['认证策略', 'Login policies'] },
      { key: 'auth_local_user', title: ['本地账号', 'Local users'] },
      { key: 'auth_radius', title: ['RADIUS服务器', 'RADIUS servers'] },
      { key: 'auth_mac', title: ['MAC认证', 'MAC login'] },
      { key: 'auth_whitelist', title: ['免认证名单', 'Login exemptions'] },
      { key: 'auth_temp_release', title: ['临时放行', 'Temporary release'] },
      { key: 'auth_log', title: ['认证日志', 'Login log'] },
    ],
  },
  {
    key: 'defense',
    title: ['安全防护', 'Defense'],
    pages: [
      { key: 'defense_firewall_rule', title: ['防火墙规则', 'Firewall rules'] },
      { key: 'defense_port_mapping', title: ['端口映射', 'Port mapping'] },
      { key: 'defense_dmz', title: ['DMZ主机', 'DMZ host'] },
      { key: 'defense_arp_bind', title: ['ARP绑定', 'ARP binding'] },
      { key: 'defense_arp_guard', title: ['ARP防护', 'ARP protection'] },
      { key: 'defense_dos', title: ['攻击防护', 'DoS protection'] },
      { key: 'defense_blacklist', title: ['黑名单', 'Blacklist'] },
      { key: 'defense_log', title: ['安全日志', 'Security log'] },
    ],
  },
  {
    key: 'advanced',
    title: ['高级设置', 'Advanced'],
    pages: [
      { key: 'advanced_device_info', title: ['设备信息', 'Device identity'] },
      { key: 'advanced_time', title: ['时间设置', 'Time'] },
      { key: 'advanced_admin', title: ['管理员账号', 'Administrators'] },
      { key: 'advanced_reboot_schedule', title: ['定时重启', 'Reboot schedule'] },
      { key: 'advanced_reboot', title: ['重启与关机', 'Restart and shut down'] },
      { key: 'advanced_backup', title: ['备份与恢复', 'Backup and restore'] },
      { key: 'advanced_upgrade', title: ['固件升级', 'Firmware upgrade'] },
      { key: 'advanced_snmp', title: ['SNMP', 'SNMP'] },
      { key: 'advanced_syslog', title: ['日志设置', 'Logging'] },
      { key: 'advanced_cloud_platform', title: ['平台地址', 'Cloud platform'] },
      { key: 'advanced_remote_manage', title: ['远程管理', 'Remote management'] },
      { key: 'advanced_alarm', title: ['告警通知', 'Alarms'] },
    ],
  },
  {
    key: 'diagnosis',
    title: ['网络诊断', 'Diagnosis'],
    pages: [
      { key: 'diagnosis_ping', title: ['Ping测试', 'Ping'] },
      { key: 'diagnosis_traceroute', title: ['路由跟踪', 'Traceroute'] },
      { key: 'diagnosis_dns_lookup', title: ['DNS查询', 'DNS lookup'] },
      { key: 'diagnosis_tcpdump', title: ['抓包', 'Packet capture'] },
      { key: 'diagnosis_speed_test', title: ['链路测速', 'Speed test'] },
      { key: 'diagnosis_health_check', title: ['一键体检', 'Health check'] },
      { key: 'diagnosis_log_collect', title: ['日志收集', 'Log collection'] },
    ],
  },
  {
    key: 'docker',
    title: ['容器管理', 'Docker'],
    pages: [
      { key: 'docker_setting', title: ['Docker设置', 'Docker settings'] },
      { key: 'docker_registry', title: ['镜像仓库', 'Registries'] },
      { key: 'docker_image', title: ['镜像管理', 'Images'] },
      { key: 'docker_container', title: ['容器', 'Containers'] },
      { key: 'docker_log', title: ['容器日志', 'Container log'] },
    ],
  },
  {
    key: 'file',
    title: ['文件管理', 'File'],
    pages: [
      { key: 'file_share', title: ['共享目录', 'Shared folders'] },
      { key: 'file_distribution', title: ['分发任务', 'Distribution tasks'] },
      { key: 'file_setting', title: ['分发设置', 'Distribution settings'] },
      { key: 'file_log', title: ['文件日志', 'File log'] },
    ],
  },
  {
    key: 'reporter',
    title: ['数据上报', 'Reporter'],
    pages: [
      { key: 'reporter_channel', title: ['上报通道', 'Reporting channel'] },
      { key: 'reporter_traffic', title: ['流量上报', 'Traffic reports'] },
      { key: 'reporter_dpi', title: ['DPI上报任务', 'DPI report tasks'] },
      { key: 'reporter_audit', title: ['审计上报', 'Audit reports'] },
      { key: 'reporter_log', title: ['上报日志', 'Report log'] },
    ],
  },
  {
    key: 'quick_menu',
    title: ['快捷菜单', 'Quick menu'],
    pages: [
      { key: 'quick_menu_switch_link', title: ['切换链路', 'Switch link'] },
      { key: 'quick_menu_satellite', title: ['卫星信号', 'Satellite signal'] },
      { key: 'quick_menu_online_user', title: ['在线用户', 'Online users'] },
      { key: 'quick_menu_health_check', title: ['一键体检', 'Health check'] },
      { key: 'quick_menu_reboot', title: ['重启设备', 'Restart'] },
    ],
  },
  {
    key: 'hidden',
    title: ['隐藏页面', 'Hidden pages'],
    pages: [
      { key: 'hidden_factory', title: ['出厂信息', 'Factory data'] },
      { key: 'hidden_license', title: ['授权许可', 'License'] },
      { key: 'hidden_debug', title: ['调试开关', 'Debug'] },
      { key: 'hidden_raw_config', title: ['原始配置', 'Raw configuration'] },
    ],
  },
  {
    key: 'telnet',
    title: ['Telnet终端', 'Telnet'],
    pages: [
      { key: 'telnet_setting', title: ['Telnet设置', 'Telnet settings'] },
      { key: 'telnet_gateway', title: ['网关终端', 'Gateway terminal'] },
      { key: 'telnet_modem', title: ['调制解调器终端', 'Modem terminal'] },
      { key: 'telnet_antenna', title: ['天线终端', 'Antenna terminal'] },
    ],
  },
];

/** The key under which a role grants a page of this menu. */
export const gatewayPermission = (page: GatewayEntry) => `gw_${page.key}`;
