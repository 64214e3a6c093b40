import { bool, ref, secret, text, url } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';

export const dockerRegistry = list('docker_registry', {
  title: ['镜像仓库', 'Registries'],
  summary: ['管理镜像仓库的地址、账号和证书信任。', 'Image registries with credentials and trust.'],
  key: 'name',
  maxRows: 8,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    address: url(['仓库地址', 'Address'], { required: true }),
    username: text(['账号', 'Username'], { max: 64 }),
    password: secret(['密码或令牌', 'Password or token'], { max: 255 }),
    verify_tls: bool(['校验证书', 'Verify TLS'], { default: true }),
    ca: ref(['CA证书', 'CA certificate'], 'vpn_certificate', { when: ['verify_tls', true] }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
