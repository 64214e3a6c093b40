import { bool, choice, duration, file, secret, text, url } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { MB } from '../../kit/size.ts';

export const authPortal = form('auth_portal', {
  title: ['Portal认证', 'Portal'],
  summary: [
    '配置网关Portal认证：页面来源、登录方式、时限和HTTPS处理。',
    'Login portal on the gateway: page source, methods, timers and behavior on HTTPS.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    portal_name: text(['Portal名称', 'Portal name'], { required: true, max: 15 }),
    portal_type: choice(
      ['页面来源', 'Page source'],
      { platform: ['平台下发模板', 'Platform template'], local: ['本地上传', 'Local upload'], external: ['外部Portal', 'External portal'] },
      { required: true, default: 'platform' },
    ),
    page_zip: file(['页面压缩包', 'Page archive'], {
      required: true,
      bytes: 1 * MB,
      size: ['1MB', '1 MB'],
      named: /\.[zZ][iI][pP]$/,
      names: ['.zip压缩包', 'A .zip archive'],
      when: ['portal_type', 'local'],
    }),
    external_url: url(['外部Portal地址', 'External portal URL'], { required: true, when: ['portal_type', 'external'] }),
    external_key: secret(['外部Portal密钥', 'External portal key'], { max: 64, when: ['portal_type', 'external'] }),
    by_account: bool(['账号登录', 'Account login'], { default: true }),
    by_card: bool(['充值卡登录', 'Card login'], { default: true }),
    by_sms: bool(['短信登录', 'SMS login'], { default: false }),
    mac_remember: bool(['MAC无感认证', 'Remember device by MAC'], { default: true }),
    remember_days: duration(['无感有效期', 'Remember for'], { default: 7, min: 1, max: 90, unit: 'd', when: ['mac_remember', true] }),
    idle_timeout: duration(['无流量下线（0关闭）', 'Idle logout (0 = off)'], { default: 30, min: 0, max: 1440, unit: 'min' }),
    session_timeout: duration(['单次最长在线（0不限）', 'Session limit (0 = none)'], { default: 0, min: 0, max: 720, unit: 'h' }),
    redirect_url: url(['登录后跳转', 'After-login page']),
    https_redirect: bool(['拦截HTTPS请求跳转', 'Redirect HTTPS requests'], { default: false }),
    lband_notice: bool(['L波段时显示限用提示', 'Show notice while on L-band'], { default: true }),
  },
});
