import { bool, choice, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';

export const behaviorKeyword = list('behavior_keyword', {
  title: ['关键字过滤', 'Keyword filter'],
  summary: ['对搜索、发帖和明文网页中的关键字进行监测或阻断。', 'Watches or blocks words in searches, posts and plain-text pages.'],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    keywords: rows(
      ['关键字', 'Keywords'],
      { required: true, min: 1, max: 200 },
      { word: text(['关键字', 'Keyword'], { required: true, max: 32 }) },
    ),
    scope: choice(
      ['检查范围', 'Scope'],
      {
        all: ['全部', 'All'],
        search: ['搜索词', 'Search terms'],
        post: ['发帖内容', 'Posts'],
        url: ['网址', 'URLs'],
        mail_subject: ['邮件主题', 'Mail subjects'],
      },
      { required: true, default: 'all' },
    ),
    action: choice(
      ['动作', 'Action'],
      { log: ['记录', 'Log'], alarm: ['记录并告警', 'Log and alarm'], block: ['阻断', 'Block'] },
      { required: true, default: 'log' },
    ),
    source_group: ref(['源地址组', 'Source address group'], 'network_ip_group'),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
