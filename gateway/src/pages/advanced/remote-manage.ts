import { bool, cidr, duration, int, port, ref, rows } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { portsFree } from '../../kit/port-rules.ts';

export const advancedRemoteManage = form('advanced_remote_manage', {
  title: ['远程管理', 'Remote management'],
  summary: [
    '设置网页、SSH和平台远程接入的权限与来源，L波段时默认禁止远程接入。',
    'Permissions and sources for web, SSH and platform remote access; refused on L-band by default.',
  ],
  fields: {
    https_port: port(['HTTPS端口', 'HTTPS port'], { required: true, default: 443 }),
    http_redirect: bool(['HTTP跳转HTTPS', 'Redirect HTTP to HTTPS'], { default: true }),
    certificate: ref(['网页证书', 'Web certificate'], 'vpn_certificate'),
    wan_access: bool(['允许外网直接访问', 'Allow direct access from WAN'], { default: false }),
    allow_from: rows(
      ['允许来源', 'Allowed sources'],
      { max: 16, when: ['wan_access', true] },
      { subnet: cidr(['网段', 'Subnet'], { required: true }) },
    ),
    ssh: bool(['开启SSH', 'Enable SSH'], { default: false }),
    ssh_port: port(['SSH端口', 'SSH port'], { default: 22, when: ['ssh', true] }),
    relay: bool(['允许平台远程接入', 'Allow relayed access from the platform'], { default: true }),
    relay_approval: bool(['远程接入需船方同意', 'On-board approval needed'], { default: false, when: ['relay', true] }),
    relay_max: duration(['单次接入上限', 'Longest relayed session'], { default: 60, min: 5, max: 480, unit: 'min', when: ['relay', true] }),
    block_on_lband: bool(['L波段时禁止远程接入', 'Refuse remote access on L-band'], { default: true }),
    session_timeout: duration(['无操作退出', 'Idle logout'], { default: 15, min: 1, max: 120, unit: 'min' }),
    lock_count: int(['密码错误锁定次数', 'Failures before lock'], { default: 5, min: 3, max: 20 }),
    lock_time: duration(['锁定时长', 'Lock time'], { default: 10, min: 1, max: 1440, unit: 'min' }),
  },
  rules: [portsFree],
});
