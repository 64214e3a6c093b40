import { bool, choice, int, ipv4, mac, rows, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { siteCode } from '../../kit/patterns.ts';

export const behaviorAuditSetting = form('behavior_audit_setting', {
  title: ['审计设置', 'Audit settings'],
  summary: ['设置审计记录内容、留存天数、页面脱敏显示和免审计名单。', 'Audit content, retention days, masking on screen and exemptions.'],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    site_code: text(['场所编码', 'Site code'], { max: 14, like: siteCode }),
    record_url: bool(['记录网站访问', 'Record site visits'], { default: true }),
    record_identity: bool(['记录虚拟身份', 'Record virtual identities'], { default: true }),
    record_forum: bool(['记录论坛发帖', 'Record forum posts'], { default: true }),
    record_mail: bool(['记录邮件', 'Record email'], { default: true }),
    record_terminal: bool(['采集终端特征', 'Collect terminal features'], { default: true }),
    metadata_only: bool(['仅留存元数据（不存正文）', 'Metadata only (no message bodies)'], { default: true }),
    mask: bool(['页面脱敏显示', 'Mask personal data on screen'], { default: true }),
    retention_days: int(['留存天数', 'Retention'], { required: true, default: 180, min: 60, max: 730, unit: 'd' }),
    disk_limit_mb: int(['本地存储上限', 'Local storage limit'], { default: 4096, min: 256, max: 102_400, unit: 'MB' }),
    disk_full: choice(
      ['存满处理', 'When full'],
      { overwrite: ['覆盖最早记录', 'Overwrite oldest'], stop: ['停止记录并告警', 'Stop and alarm'] },
      { default: 'overwrite' },
    ),
    exempt: rows(
      ['免审计名单', 'Exempt list'],
      { max: 100 },
      {
        type: choice(
          ['类型', 'Type'],
          { ip: ['IP地址', 'IP address'], mac: ['MAC地址', 'MAC address'] },
          { required: true, default: 'ip' },
        ),
        ip: ipv4(['IP地址', 'IP address'], { required: true, when: ['type', 'ip'] }),
        mac: mac(['MAC地址', 'MAC address'], { required: true, when: ['type', 'mac'] }),
        remark: text(['备注', 'Remark'], { max: 64 }),
      },
    ),
  },
});
