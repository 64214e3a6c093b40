import { listModes } from '../../choices.ts';
import { bool, choice, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';

export const behaviorImControl = list('behavior_im_control', {
  title: ['IM账号控制', 'IM account control'],
  summary: ['允许或禁止指定IM账号在本网络使用。', 'Allows or refuses particular messaging accounts on the network.'],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    im_type: choice(
      ['IM类型', 'Messenger'],
      {
        qq: ['QQ', 'QQ'],
        wechat: ['微信', 'WeChat'],
        dingtalk: ['钉钉', 'DingTalk'],
        whatsapp: ['WhatsApp', 'WhatsApp'],
        telegram: ['Telegram', 'Telegram'],
        other: ['其他', 'Other'],
      },
      { required: true, default: 'qq' },
    ),
    mode: choice(['名单方式', 'List mode'], listModes, { required: true, default: 'blacklist' }),
    accounts: rows(
      ['账号', 'Accounts'],
      { required: true, min: 1, max: 200 },
      { account: text(['账号', 'Account'], { required: true, max: 64 }) },
    ),
    source_group: ref(['源地址组', 'Source address group'], 'network_ip_group'),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
