import { optStates, satNetworks } from '../../choices.ts';
import { bool, choice, duration, file, text, time } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { hashOfFile } from '../../kit/page-rules.ts';
import { serialNumber, sha256 } from '../../kit/patterns.ts';
import { KB } from '../../kit/size.ts';

export const satelliteRouteOpt = list('satellite_route_opt', {
  title: ['OPT文件', 'OPT files'],
  summary: [
    '按卫星网保存调制解调器OPT文件，支持校验、定时生效和自动回退。',
    'Stored modem option files per satellite network with checksum, activation time and automatic rollback.',
  ],
  key: 'name',
  maxRows: 16,
  fields: {
    name: text(['名称', 'Name'], { required: true, max: 64 }),
    sat_network: choice(['所属卫星网', 'Satellite network'], satNetworks, { required: true, default: 'global' }),
    opt_file: file(['OPT文件', 'OPT file'], {
      required: true,
      bytes: 512 * KB,
      size: ['512KB', '512 KB'],
      named: /\.[oO][pP][tT]$/,
      names: ['.opt文件', 'An .opt file'],
    }),
    version: text(['版本', 'Version'], { max: 32 }),
    modem_sn: text(['适用调制解调器序列号', 'Modem serial number'], { required: true, max: 32, like: serialNumber }),
    sha256: text(['SHA-256校验值', 'SHA-256'], { max: 64, like: sha256 }),
    source: choice(
      ['来源', 'Source'],
      { upload: ['本地上传', 'Local upload'], platform: ['平台下发', 'Platform'] },
      { default: 'upload', reported: true },
    ),
    opt_status: choice(['状态', 'Status'], optStates, { default: 'uninitialized', reported: true }),
    activation: choice(
      ['生效方式', 'Activation'],
      {
        manual: ['手动生效', 'Manual'],
        at_time: ['定时生效', 'At a set time'],
        on_lock: ['锁定该卫星网时生效', 'When the link is locked to this network'],
      },
      { required: true, default: 'manual' },
    ),
    activate_at: time(['生效时间', 'Activate at'], { required: true, when: ['activation', 'at_time'] }),
    keep_previous: bool(['保留上一版本', 'Keep previous file'], { default: true }),
    rollback_after: duration(['未入网自动回退', 'Roll back if not in network after'], { default: 30, min: 10, max: 240, unit: 'min' }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [hashOfFile('sha256', 'opt_file')],
});
