import { authStates } from '../../choices.ts';
import { bool, choice, file, int, secret, time } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { KB } from '../../kit/size.ts';

export const hiddenLicense = form('hidden_license', {
  title: ['授权许可', 'License'],
  summary: ['查看授权状态、到期时间和已授权功能。', 'Authorization state, expiry and licensed features.'],
  hidden: true,
  fields: {
    auth_status: choice(['授权状态', 'Authorization'], authStates, { default: 'test', reported: true }),
    method: choice(
      ['授权方式', 'Method'],
      { code: ['授权码', 'Authorization code'], file: ['授权文件', 'License file'], platform: ['平台授权', 'From platform'] },
      { required: true, default: 'code' },
    ),
    code: secret(['授权码', 'Authorization code'], { required: true, max: 64, when: ['method', 'code'] }),
    license_file: file(['授权文件', 'License file'], {
      required: true,
      bytes: 64 * KB,
      size: ['64KB', '64 KB'],
      named: /\.lic$/,
      names: ['.lic授权文件', 'A .lic license file'],
      when: ['method', 'file'],
    }),
    expire_at: time(['到期时间', 'Expires at']),
    max_users: int(['用户数上限', 'User limit'], { default: 200, min: 1, max: 20_000 }),
    max_aps: int(['AP数上限', 'AP limit'], { default: 32, min: 0, max: 256 }),
    feature_docker: bool(['Docker功能', 'Docker'], { default: false }),
    feature_audit: bool(['审计功能', 'Audit'], { default: true }),
    feature_dual_antenna: bool(['双天线功能', 'Dual antenna'], { default: false }),
  },
});
