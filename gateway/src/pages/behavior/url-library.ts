import { bool, choice, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { wildcardDomain } from '../../kit/patterns.ts';

export const behaviorUrlLibrary = list('behavior_url_library', {
  title: ['网址库', 'Site libraries'],
  summary: [
    '管理内置、自定义和平台下发的域名库，含危险网站库。',
    'Built-in, custom and platform-issued domain lists, including the dangerous-site list.',
  ],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    source: choice(
      ['来源', 'Source'],
      { custom: ['自定义', 'Custom'], builtin: ['内置', 'Built in'], platform: ['平台下发', 'Platform'] },
      { required: true, default: 'custom', reported: true },
    ),
    category: choice(
      ['分类', 'Category'],
      {
        danger: ['危险网站', 'Dangerous'],
        adult: ['成人', 'Adult'],
        gambling: ['赌博', 'Gambling'],
        video: ['视频', 'Video'],
        social: ['社交', 'Social'],
        news: ['新闻', 'News'],
        work: ['工作', 'Work'],
        other: ['其他', 'Other'],
      },
      { required: true, default: 'other' },
    ),
    domains: rows(
      ['域名', 'Domains'],
      { max: 5000 },
      { domain: text(['域名（支持*）', 'Domain (* allowed)'], { required: true, max: 255, like: wildcardDomain }) },
    ),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
