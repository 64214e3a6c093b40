import { bool, duration, int, percent, port, rows, secret, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { hostName, mailbox } from '../../kit/patterns.ts';

export const advancedAlarm = form('advanced_alarm', {
  title: ['告警通知', 'Alarms'],
  summary: ['设置邮件服务器、最多三个收件邮箱和触发告警的事件。', 'Mail server, up to three mailboxes and the events that raise an alarm.'],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: false }),
    smtp_host: text(['邮件服务器', 'Mail server'], { required: true, max: 255, like: hostName }),
    smtp_port: port(['端口', 'Port'], { required: true, default: 465 }),
    smtp_tls: bool(['加密', 'TLS'], { default: true }),
    smtp_user: text(['账号', 'Username'], { required: true, max: 64 }),
    smtp_password: secret(['密码', 'Password'], { required: true, max: 64 }),
    sign: text(['邮件署名', 'Signature'], { max: 64 }),
    recipients: rows(
      ['通知邮箱', 'Mailboxes'],
      { required: true, min: 1, max: 3 },
      { mail: text(['邮箱', 'Mailbox'], { required: true, max: 64, like: mailbox }) },
    ),
    on_link_switch: bool(['链路切换', 'Link switch'], { default: true }),
    on_link_down: bool(['链路中断', 'Link down'], { default: true }),
    on_fence: bool(['围栏进出', 'Fence events'], { default: true }),
    on_quota: bool(['配额预警', 'Quota warning'], { default: true }),
    on_ap_offline: bool(['AP离线', 'AP offline'], { default: true }),
    on_attack: bool(['安全攻击', 'Attack'], { default: true }),
    temperature: int(['温度告警值', 'Temperature alarm'], { default: 75, min: 40, max: 110, unit: '°C' }),
    disk_percent: percent(['磁盘告警值', 'Disk alarm'], { default: 90, min: 50 }),
    merge: duration(['合并发送间隔', 'Merge interval'], { default: 10, min: 0, max: 1440, unit: 'min' }),
    allow_lband: bool(['L波段时仍发送', 'Send over L-band too'], { default: false }),
  },
});
