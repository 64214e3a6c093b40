import { choice, int, ipv4, mac, text, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const behaviorContentLog = log('behavior_content_log', {
  title: ['发帖与邮件记录', 'Posts and email'],
  summary: ['查看论坛发帖和邮件收发信息及命中关键字。', 'Forum posts and email envelopes with keyword hits.'],
  fields: {
    time: time(['时间', 'Time']),
    type: choice(['类型', 'Type'], {
      forum: ['论坛发帖', 'Forum post'],
      mail_send: ['发邮件', 'Mail sent'],
      mail_receive: ['收邮件', 'Mail received'],
    }),
    account: text(['上网账号', 'Account']),
    ip: ipv4(['IP地址', 'IP address']),
    mac: mac(['MAC地址', 'MAC address']),
    site: text(['网站或邮件服务器', 'Site or mail server']),
    sender: text(['发件人或发帖人', 'Sender or author']),
    recipient: text(['收件人', 'Recipient']),
    subject: text(['主题', 'Subject']),
    size: int(['大小（B）', 'Size (B)']),
    keyword: text(['命中关键字', 'Keyword hit']),
    action: choice(['动作', 'Action'], { log: ['记录', 'Logged'], alarm: ['告警', 'Alarmed'], block: ['阻断', 'Blocked'] }),
  },
});
