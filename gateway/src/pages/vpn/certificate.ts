import { choice, file, int, secret, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { MB } from '../../kit/size.ts';

export const vpnCertificate = list('vpn_certificate', {
  title: ['证书管理', 'Certificates'],
  summary: [
    '管理CA、服务器和客户端证书，可上传或本机生成，支持SM2。',
    'CA, server and client certificates, uploaded or generated here, including SM2.',
  ],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['名称', 'Name'], { required: true, max: 64 }),
    usage: choice(
      ['用途', 'Usage'],
      { ca: ['CA', 'CA'], server: ['服务端', 'Server'], client: ['客户端', 'Client'], web: ['管理页面', 'Web interface'] },
      { required: true, default: 'client' },
    ),
    source: choice(
      ['来源', 'Source'],
      { upload: ['上传', 'Upload'], generate: ['本机生成', 'Generate here'] },
      { required: true, default: 'upload' },
    ),
    cert_file: file(['证书文件', 'Certificate file'], {
      required: true,
      bytes: 1 * MB,
      size: ['1MB', '1 MB'],
      named: /\.[cC][rR][tT]$/,
      names: ['.crt证书文件', 'A .crt certificate file'],
      when: ['source', 'upload'],
    }),
    key_file: file(['私钥文件', 'Key file'], {
      bytes: 1 * MB,
      size: ['1MB', '1 MB'],
      named: /^[^.]+$|\.[kK][eE][yY]$/,
      names: ['密钥文件，无后缀或.key', 'A key file without suffix or with .key'],
      secret: true,
      when: ['source', 'upload'],
    }),
    key_passphrase: secret(['私钥口令', 'Key passphrase'], { max: 64, when: ['source', 'upload'] }),
    common_name: text(['通用名（CN）', 'Common name'], { required: true, max: 64, when: ['source', 'generate'] }),
    key_type: choice(
      ['密钥类型', 'Key type'],
      {
        rsa2048: ['RSA-2048', 'RSA-2048'],
        rsa4096: ['RSA-4096', 'RSA-4096'],
        ecp256: ['ECDSA P-256', 'ECDSA P-256'],
        sm2: ['国密SM2', 'SM2'],
      },
      { default: 'ecp256', when: ['source', 'generate'] },
    ),
    valid_days: int(['有效天数', 'Valid days'], { default: 825, min: 1, max: 7300, unit: 'd', when: ['source', 'generate'] }),
    warn_days: int(['到期提醒', 'Warn before expiry'], { default: 30, min: 1, max: 180, unit: 'd' }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
